from dataclasses import replace

from summaries import news

from visavis.report import facts
from visavis.report.sentences import accuracy


def test_a_classifier_that_sees_everything_is_the_best_that_could_be_hoped_for():
    told = accuracy(replace(news(), accuracy=0.61, ceiling=0.74))
    assert "a classifier trained on every document manages 74 %." in told.replace("\u202f", " ").replace("\xa0", " ")


def test_where_the_picks_do_as_well_it_is_said_that_nothing_does_better():
    told = accuracy(replace(news(), accuracy=0.46, ceiling=0.27))
    assert "The picks do as well as every document together: a classifier trained on every document manages 27 %" in (
        told.replace("\u202f", " ")
    )


def test_accuracies_are_told_with_their_intervals():
    told = accuracy(replace(news(), accuracy_interval=(0.57, 0.65), ceiling_interval=(0.7, 0.781))).replace(
        "\u202f", " "
    )
    assert "puts 61 % (57 to 65) of documents" in told
    assert "manages 74 % (70 to 78). Guessing would get 25 %." in told


def test_picks_that_beat_everything_by_more_than_noise_are_said_to():
    above = replace(news(), accuracy=0.6, ceiling=0.5, accuracy_interval=(0.56, 0.64), ceiling_interval=(0.46, 0.55))
    assert "do better than every document together, by more than chance" in accuracy(above)
    assert "do as well as" in accuracy(replace(above, ceiling_interval=(0.46, 0.56)))


def test_without_a_ceiling_nothing_is_said_of_it():
    assert "every document" not in accuracy(replace(news(), ceiling=None))


def test_the_size_that_was_chosen_has_an_accuracy_of_its_own():
    summary = news()
    told = accuracy(replace(summary, parameters={**summary.parameters, "size_accuracy": 0.66})).replace("\u202f", " ")
    assert max(len(group.picks) for group in summary.groups) == 4  # as where documents tell fewer stories than 8
    assert "With 8 picks a group, 66 % of the documents used to choose that number were placed right." in told
    assert "used to choose" not in accuracy(summary)
    shown = facts.parameters(replace(summary, parameters={"size_accuracy": 0.66, "size": 2}))
    assert shown == [("size", "2")]
