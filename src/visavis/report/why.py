"""Why a pick was picked, in plain sentences, and whether a group's picks come from one source."""

from __future__ import annotations

from collections import Counter

from visavis.records import GroupSummary, Pick, Summary
from visavis.report import facts
from visavis.report.text import in_words, listed, outlet
from visavis.shared.text import line


def from_one_source(group: GroupSummary) -> str:
    """Whether most picks are from one source: "all four from CNN"; empty if not, or if that is the group itself."""
    names = [outlet(pick.document) for pick in group.picks]
    name, count = Counter(names).most_common(1)[0] if names else ("", 0)
    if not name or name == line(group.name) or count < 2 or 2 * count <= len(names):
        return ""
    amount = f"all {in_words(count)}" if count == len(names) else f"{in_words(count)} of {in_words(len(names))}"
    return f"{amount} from {name}" if count > 2 or count == len(names) else ""


def why(pick: Pick, group: GroupSummary, summary: Summary) -> list[str]:
    """Why a pick was picked, in plain sentences."""
    name, rest, scores = facts.group_name(group), facts.the_rest(group, summary), pick.scores
    found = []
    if facts.is_known(scores.typical):
        found.append(
            f"On average it is closer to the documents of {name} than {facts.rank(scores.typical)} of them are."
        )
    if facts.is_known(scores.distinct) and rest:
        found.append(
            f"It is more of {name}, and less of {rest}, than {facts.rank(scores.distinct)} of {name}’s documents are."
        )
    if pick.words:
        words = listed(f"“{line(word)}”" for word in pick.words[:5])
        found.append(f"It holds {words}, more frequent in {name} than in {rest or 'other documents'}.")
    if pick.stands_for:
        more = "" if pick.stands_for_rest is None else f" and {facts.few(pick.stands_for_rest)} of the rest"
        found.append(f"Of all picks here it is the nearest to {facts.small(pick.stands_for)} of {name}{more}.")
    return found
