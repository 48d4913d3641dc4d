"""What a summary says, in sentences that every report to read shares."""

from __future__ import annotations

from visavis.records import GroupSummary, Pick, Summary, Term
from visavis.report import facts
from visavis.report.facts import few, group_name, guess, is_known, small, with_interval
from visavis.report.periods import extent
from visavis.report.text import number, percent, plural
from visavis.shared.text import line

NO_TERMS = "No word is clearly more frequent here than elsewhere."
GAPS = "Largest gaps, which could be chance"
NO_COMMON = "No document is typical of all groups."
LEAST_BOILERPLATE = 0.0005  # of the words; less is not worth a remark
MOST_COUNTED = 4  # groups whose documents are counted in the first line
ASKED = {
    "filter": "only documents where {}",
    "only": "only the groups {}",
    "versus": "{} against all others",
    "min_size": "only groups of at least {} documents",
    "given": "{} held equal",
    "spread": "picks spread over {}",
    "pin": "pinned: {}",
    "ban": "banned: {}",
}


def overview(summary: Summary) -> str:
    """The whole comparison in one line: counts of the documents compared, not of the file."""
    documents = summary.n_documents
    picks = sum(len(group.picks) for group in summary.groups)
    when = f", {extent(summary.timeline)}" if extent(summary.timeline) else ""
    by = f" by {facts.compared_by(summary.by)}" if line(summary.by) else ""
    groups = f" in {len(summary.groups)} groups{by}" if len(summary.groups) > 1 else by
    if 1 < len(summary.groups) <= MOST_COUNTED:
        groups += " (" + ", ".join(f"{group_name(group)}: {group.n_documents:,}" for group in summary.groups) + ")"
    return f"{plural(documents, 'document')} compared{groups}{when}; {picks} picked"


def asked(summary: Summary) -> str:
    """What the caller narrowed the comparison by, in a sentence; empty where nothing."""
    told = summary.parameters
    found = [words.format(facts.in_words(told[name])) for name, words in ASKED.items() if told.get(name)]
    return f"{'; '.join(found)[:1].upper()}{'; '.join(found)[1:]}." if found else ""


def accuracy(summary: Summary) -> str:
    """How well the picks alone tell the groups apart, beside the best that could be hoped for; empty if unknown."""
    if not is_known(summary.accuracy):
        return ""
    share = with_interval(summary.accuracy, summary.accuracy_interval)
    return (
        f"Shown nothing but the picks, a simple classifier puts {share} of documents it has never seen in the right "
        f"group{_ceiling(summary, summary.accuracy)}. Guessing would get {percent(guess(summary))}.{_chosen(summary)}"
    )


def _chosen(summary: Summary) -> str:
    """What the size that was chosen did where it was chosen, beside the accuracy, which the choice does not flatter."""
    told = summary.parameters.get("size_accuracy")
    size = next((size for size, value in summary.size_curve if value == told), None)
    if size is None or not isinstance(told, float):
        return ""
    picks = plural(size, "pick")
    return f" With {picks} a group, {percent(told)} of the documents used to choose that number were placed right."


def _ceiling(summary: Summary, reached: float) -> str:
    """What a classifier that sees every document does beside the picks."""
    if not is_known(summary.ceiling):
        return ""
    highest = with_interval(summary.ceiling, summary.ceiling_interval)
    if reached < summary.ceiling:
        return f"; a classifier trained on every document manages {highest}"
    of_picks, of_all = summary.accuracy_interval, summary.ceiling_interval
    apart = of_picks is not None and of_all is not None and of_picks[0] > of_all[1]
    better = (
        "better than every document together, by more than chance" if apart else "as well as every document together"
    )
    return f". The picks do {better}: a classifier trained on every document manages {highest}"


def term(term: Term) -> str:
    """How frequent a term is, and in how many documents: "21 % here (89), 3 % elsewhere (12)"."""
    if term.share_elsewhere is None:
        return f"{percent(term.share)} of documents ({term.documents:,})"
    elsewhere = f"{few(term.share_elsewhere)} elsewhere" + (f" ({term.elsewhere:,})" if term.elsewhere else "")
    return f"{percent(term.share)} here ({term.documents:,}), {elsewhere}"


def stability(pick: Pick, summary: Summary) -> str:
    """How often the pick came back on resampled documents that hold it, and by chance; empty if unknown."""
    if not is_known(pick.stability):
        return ""
    tries, held = pick.resamples, " that hold it"
    if tries is None:
        known = summary.parameters.get("resamples")
        tries, held = (known if isinstance(known, int) else 0), ""
    chance = pick.stability_by_chance
    if tries > 0:
        by_chance = f"; by chance {round(chance * tries)}" if is_known(chance) else ""
        return f"picked again in {round(pick.stability * tries)} of {plural(tries, 'resample')}{held}{by_chance}"
    return f"picked again in {percent(pick.stability)} of resamples"


def stands_for(pick: Pick, group: GroupSummary) -> str:
    """Of what share of the documents a pick is the nearest of all."""
    rest = "" if pick.stands_for_rest is None else f", {few(pick.stands_for_rest)} of the rest"
    return f"stands for {small(pick.stands_for)} of {group_name(group)}{rest}"


def covers(pick: Pick, group: GroupSummary) -> str:
    """To how many of its group's documents it is the nearest of the group's picks."""
    return f"nearest of {group_name(group)}’s picks to {plural(len(pick.covers), 'document')} of it"


def standing(pick: Pick, group: GroupSummary) -> str:
    """Where the pick stands among its group's documents: "more typical than 93 % of March, more distinct than 88 %"."""
    found: list[str] = []
    for score, value in (("typical", pick.scores.typical), ("distinct", pick.scores.distinct)):
        if is_known(value):
            of = f" of {group_name(group)}" if not found else ""
            found.append(f"more {score} than {facts.rank(value)}{of}")
    return ", ".join(found)


def raw_scores(pick: Pick) -> str:
    """The scores themselves."""
    scores = pick.scores
    found = {"coverage": scores.coverage, "discrimination": scores.discrimination, "diversity": scores.diversity}
    return ", ".join(f"{name} {number(value)}" for name, value in found.items())


def contribution(pick: Pick) -> str:
    """A pick's part in its group's objective."""
    return (
        f"Share of the group's score {number(pick.share)}; added {number(pick.gain)} when it was picked; "
        f"leaving it out would cost {number(pick.loss)}."
    )


def folded(summary: Summary) -> str:
    """What became of near-duplicates; empty where there were none."""
    if not summary.folded:
        return ""
    if summary.folded == 1:
        return "1 near-duplicate was folded into the document it repeats."
    return f"{summary.folded:,} near-duplicates were folded into the documents they repeat."


def not_candidates(summary: Summary) -> str:
    """How many documents count but are not shown, and why; empty where all may be."""
    count = sum(away.count for away in summary.not_candidates)
    if not count:
        return ""
    reasons = ", ".join(f"{line(away.reason)} ({away.count:,})" for away in summary.not_candidates)
    return f"{plural(count, 'document')} {'counts but is' if count == 1 else 'count but are'} not shown: {reasons}."


def boilerplate(summary: Summary) -> str:
    """How much of the texts was left out; empty where it is next to nothing."""
    if summary.boilerplate < LEAST_BOILERPLATE:
        return ""
    return (
        f"{100 * summary.boilerplate:.1f} % of the words are boilerplate (letterheads, datelines, notices, whatever "
        "recurs) and were left out before the documents were compared."
    )


def remarks(summary: Summary) -> list[str]:
    """What was made of the documents, a sentence each."""
    found = (folded(summary), not_candidates(summary), boilerplate(summary))
    return [remark for remark in found if remark]
