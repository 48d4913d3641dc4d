"""A cluster of machines: documents lie there in chunks, and every question is a round over them."""

from visavis.engines.cluster.engine import ClusterEngine

__all__ = ["ClusterEngine"]
