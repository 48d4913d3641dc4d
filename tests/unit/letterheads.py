"""Press releases of invented members: stories under letterheads, with line breaks or all on one line."""

from __future__ import annotations

import random

MEMBERS = (
    ("Rep. Alma Torvald", "Jonas Reed", "Fourth District of Oregon"),
    ("Senator Pell Harkness", "Dana Whitlow", "State of Maine"),
    ("Congresswoman Ines Okafor", "Marta Lindqvist", "Ninth District of Texas"),
)
MONTHS = ("January", "March", "June", "September", "November")
COMMON = (  # noqa: SIM905
    "council members agreed that funds would reach many towns before winter while critics asked who pays when costs "
    "rise again because earlier plans failed under pressure from owners whose land lies along both sides"
).split()
SYLLABLES = "ba do fi gu ke la mo ni pu re sa ti vo wu ze".split()  # noqa: SIM905
TOPICS = {
    "water": "rivers reservoirs irrigation drought wells aquifers pipelines treatment rainfall dams".split(),  # noqa: SIM905
    "schools": "teachers classrooms pupils textbooks lunches campuses tuition principals kindergartens".split(),  # noqa: SIM905
    "roads": "highways bridges pavement tolls traffic freight tunnels lanes asphalt interchanges".split(),  # noqa: SIM905
}


def letterhead(member: int, rng: random.Random) -> list[str]:
    name, officer, place = MEMBERS[member]
    date = f"{rng.choice(MONTHS)} {rng.randint(1, 28)}, 20{rng.randint(10, 19)}"
    phone = f"(202) 225-{1000 + 311 * member}"
    mail = f"{officer.split()[0].lower()}@mail.house.gov"
    return [
        ["FOR IMMEDIATE RELEASE", date, f"Contact: {officer}, {phone}", mail],
        [f"Press Office of {name}", f"Contact: {officer} {phone}", "FOR IMMEDIATE RELEASE", date],
        [f"{name} | Representing the {place}", "1433 Longworth House Office Building, Washington, DC 20515",
         f"Phone: {phone}", "For Immediate Release", date, f"Media Contact: {officer}"],
    ][member]  # fmt: skip


def story(topic: str, rng: random.Random) -> str:
    return " ".join(sentence(rng, TOPICS[topic]) for _ in range(4))


def sentence(rng: random.Random, words: list[str] | None = None) -> str:
    """A sentence of a dozen words that no other has."""
    names = ["".join(rng.choices(SYLLABLES, k=3)) for _ in range(4)]
    drawn = [*rng.sample(words or TOPICS["water"], 2), *rng.sample(COMMON, 8), *names]
    rng.shuffle(drawn)
    return " ".join(drawn).capitalize() + "."


def releases(count: int = 60, *, one_line: bool = False, seed: int = 0) -> list[dict[str, str]]:
    """Releases by turns of each member and topic, with their bare story in `story`."""
    rng = random.Random(seed)
    made = []
    for n in range(count):
        member, topic = n % 3, list(TOPICS)[(n // 3) % 3]
        body = story(topic, rng)
        city = rng.choice(("WASHINGTON, D.C. – ", "WASHINGTON – ", ""))
        footer = [
            "###",
            f"{MEMBERS[member][0]} represents the {MEMBERS[member][2]}.",
            "Sign up for our newsletter here.",
        ]
        text = "\n".join([*letterhead(member, rng), city + body, *footer])
        text = " ".join(text.split()) if one_line else text
        made.append({"id": f"r{n}", "text": text, "source": MEMBERS[member][0], "topic": topic, "story": body})
    return made
