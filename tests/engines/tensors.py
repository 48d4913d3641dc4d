"""An engine on torch tensors: the kernels' and operations' own tiles, and nothing of what our threads do faster."""

from __future__ import annotations

import numpy as np
import torch

from visavis.kernel.operations import placed
from visavis.kernel.threads import blocks
from visavis.kernel.ties import leading
from visavis.kernel.tiling import count, part_of, reduce_candidates

TILE = 64


class TensorEngine:
    """Everything in float64 on the CPU."""

    name = "tensors"
    reach = float("inf")

    def place(self, vectors, order):
        rows = vectors[order]
        return torch.as_tensor(np.asarray(rows if isinstance(rows, np.ndarray) else rows.toarray(), np.float64))

    def bind(self, kernel, placed_vectors, frame):  # noqa: ARG002
        return TensorPairs(kernel, placed_vectors)

    def each(self, task, items, *, long=False):  # noqa: ARG002
        return map(task, items)


class TensorPairs:
    """Pairs of rows of a tensor."""

    resolution = 1e-12

    def __init__(self, kernel, rows):
        self._kernel, self._rows = kernel, rows
        self.n_documents, self.abilities = len(rows), kernel.abilities
        own = [kernel.similarity(torch, rows[k : k + 1], rows[k : k + 1])[0, 0].item() for k in range(len(rows))]
        self.diagonal = np.array(own)
        if kernel.abilities.smooth:
            self.unit = 1.0 / np.sqrt(2.0 * kernel.gamma)

    def _tile(self, of, rows, columns):
        ask = self._kernel.similarity if of == "similarity" else self._kernel.proximity
        return ask(torch, self._rows[rows], self._rows[columns])

    def block(self, rows, columns, *, exact=False):  # noqa: ARG002
        return self._tile("similarity", rows, columns).numpy()

    def proximity(self, rows, columns, *, exact=False):  # noqa: ARG002
        return self._tile("proximity", rows, columns).numpy()

    def columns(self, documents, *, exact=False):  # noqa: ARG002
        return self.block(slice(0, self.n_documents), documents)

    def gram(self, rows, *, exact=False):  # noqa: ARG002
        return self.block(rows, rows)

    def best(self, gains, open_, count=1):
        return leading(gains, open_, self.resolution, count)

    def sums(self, weights, gammas=None):
        kernels = [self._kernel] if gammas is None else [type(self._kernel)(gamma) for gamma in gammas]
        found = [kernel.similarity(torch, self._rows, self._rows).numpy() @ weights for kernel in kernels]
        return found[0] if gammas is None else np.stack(found)

    def reduce(self, operation, candidates, documents):
        there = placed(operation, torch.as_tensor)

        def read(part, strip):
            tile = self._tile(operation.reads.of, part_of(candidates, part), part_of(documents, strip))
            return operation.reads.apply(torch, tile)

        parts = [
            reduce_candidates(there, torch, read, part, count(documents)) for part in blocks(count(candidates), TILE)
        ]
        return tuple(torch.cat([part[k] for part in parts]).numpy() for k in range(len(operation.combine)))

    def field(self, points, owner, weights, *, exact=False):  # noqa: ARG002
        moving = torch.tensor(points, requires_grad=True)
        near = self._kernel.similarity(torch, moving, self._rows)
        values = (torch.as_tensor(weights[owner]) * near).sum(axis=1)
        (slope,) = torch.autograd.grad(values.sum(), moving)
        return values.detach().numpy(), slope.numpy()

    def interaction(self, points, coefficients):
        moving = torch.tensor(points, requires_grad=True)
        values = (torch.as_tensor(coefficients) * self._kernel.similarity(torch, moving, moving)).sum(axis=1)
        (slope,) = torch.autograd.grad(values.sum(), moving)
        return values.detach().numpy(), slope.numpy()

    def beyond(self, points):
        middle = self._rows.mean(axis=0).numpy()
        radius = np.sqrt(((self._rows.numpy() - middle) ** 2).sum(axis=1).max())
        return int(np.sum(np.sqrt(((points - middle) ** 2).sum(axis=1)) > radius * (1 + 1e-9)))
