"""visavis puts groups of documents face to face and picks the few that represent each and tell it apart."""

from visavis._version import __version__
