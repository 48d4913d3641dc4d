"""Everything visavis refuses, by name; each message says what was asked, what there is, and what would work."""

from __future__ import annotations


class VisavisError(ValueError):
    """Something the caller can put right: bad input, a bad option, an impossible combination."""


class InvalidParameter(VisavisError):
    """An argument has a value that cannot be used; the message names the argument."""


class TooFewDocuments(VisavisError):
    """A group holds fewer documents than picks were asked of it."""


class UnknownName(VisavisError):
    """A name stands in no table; the message lists the table and suggests the nearest entry."""


class Incompatible(VisavisError):
    """Two valid choices that do not go together; the message says which do."""


class MissingExtra(VisavisError, ImportError):
    """An optional component is not installed; the message gives the exact command that installs it."""


class Unanswered(VisavisError):
    """A language model could not be asked, or gave no answer that can be used; the message says why."""


class Unusable(Unanswered):
    """This one request came to nothing; another may fare better."""


class NotSent(Unanswered):
    """The same, before anything was sent."""


class MissingGroup(UserWarning):
    """A method picked no document of some group."""


class OnlyOneGroup(UserWarning):
    """There is nothing to compare with, so the contrast plays no part."""


class NoFigures(UserWarning):
    """Figures were left out, what draws them not being installed; the message gives the command that installs it."""


class LeftTheData(UserWarning):
    """Gradient search moved meta-prototypes outside the ball that holds all documents."""


class Sampled(UserWarning):
    """Samples stood for the documents, there being very many; the message estimates what that costs."""
