from dataclasses import replace

from summaries import news

from visavis.report.facts import accuracy


def test_a_classifier_that_sees_everything_is_the_best_that_could_be_hoped_for():
    told = accuracy(replace(news(), accuracy=0.61, ceiling=0.74))
    assert "a classifier trained on every document manages 74 %." in told.replace("\u202f", " ").replace("\xa0", " ")


def test_where_the_picks_do_as_well_it_is_said_that_nothing_does_better():
    told = accuracy(replace(news(), accuracy=0.46, ceiling=0.27))
    assert "does no better: it manages 27 %" in told.replace("\u202f", " ").replace("\xa0", " ")


def test_without_a_ceiling_nothing_is_said_of_it():
    assert "every document" not in accuracy(replace(news(), ceiling=None))
