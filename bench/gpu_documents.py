"""Documents to measure a card with: clustered vectors of norm about 1, two groups whose mixtures are shifted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

FEATURES = 384
CLUSTERS = 64
SPREAD = 0.75  # of a document around its cluster, relative to the cluster's own length
STRIP = 2**18


@dataclass(frozen=True, eq=False)
class Documents:
    """Vectors sorted by group, float32; the group of each."""

    vectors: Any
    groups: Any


def make_documents(n: int, device: str, seed: int = 0, n_features: int = FEATURES) -> Documents:
    """The same documents for the same seed on the same kind of device; the second group has other shares."""
    rng = np.random.default_rng(seed)
    centers = rng.normal(size=(CLUSTERS, n_features)) / np.sqrt(n_features)
    even = rng.normal(size=CLUSTERS)
    shares = [np.exp(even), np.exp(even + 0.7 * rng.normal(size=CLUSTERS))]
    groups = np.repeat([0, 1], [n - n // 2, n // 2])
    own = [rng.choice(CLUSTERS, size=int((groups == g).sum()), p=share / share.sum()) for g, share in enumerate(shares)]
    there = torch.as_tensor(centers, dtype=torch.float32).to(device)
    clusters = torch.as_tensor(np.concatenate(own)).to(device)
    vectors = torch.empty((n, n_features), dtype=torch.float32, device=device)
    generator = torch.Generator(device=device)
    generator.manual_seed(seed)
    for start in range(0, n, STRIP):
        part = clusters[start : start + STRIP]
        noise = torch.randn((len(part), n_features), generator=generator, device=device)
        raw = there[part] + SPREAD / n_features**0.5 * noise
        vectors[start : start + STRIP] = raw / raw.norm(dim=1, keepdim=True)
    return Documents(vectors.cpu().numpy(), groups)
