"""The RBF kernel exp(−γ‖x − y‖²), in symmetric tiles.

Vectors are centered in float64, scaled by √(2γ), and carry their half norm as two more columns, so that one product
of a tile is already its exponent: z_i·z_j − ½‖z_i‖² − ½‖z_j‖² = −γ‖x_i − x_j‖².
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from visavis.contracts import Operation, Vectors
from visavis.errors import InvalidParameter
from visavis.kernel.bandwidth import GAMMA
from visavis.kernel.group_sums import exponential_sums, symmetric_sums
from visavis.kernel.operations import GroupSums
from visavis.kernel.pairs import ThreadedPairs
from visavis.kernel.threads import blocks, ordered_map
from visavis.kernel.tiling import count, part_of
from visavis.kernel.vectors import mark_self, squared_distances, squared_norms
from visavis.records import Array, Compute, Floats, Integers, KernelAbilities, Parameter, Rows

STRIP = 2048
OFTEN = 12  # exact questions, from which on it pays to keep what they read
KEPT = 8  # float64 rows are kept where they take up to an eighth of the memory
FLOAT32_REACH = 1e3  # largest γ‖x‖² at which a float32 exponent keeps four digits after the point
FLOAT64_REACH = 1e12
FLOAT32_SQUARES = (1e-30, 1e36)  # ‖x‖² whose distances float32 can hold


@dataclass(frozen=True)
class RBF:
    """exp(−γ‖x − y‖²)."""

    gamma: float
    parameters: ClassVar[tuple[Parameter, ...]] = (GAMMA,)
    abilities: ClassVar[KernelAbilities] = KernelAbilities(smooth=True, widths=True)

    @staticmethod
    def lengths(rows: Floats) -> Floats:
        """What γ multiplies, among these rows: squared distances."""
        return squared_distances(rows, rows)

    def similarity(self, xp: Any, left: Any, right: Any) -> Any:
        """exp(−γ‖x − y‖²)."""
        return xp.exp(-self.gamma * _squared(left, right))

    def proximity(self, xp: Any, left: Any, right: Any) -> Any:
        """−‖x − y‖."""
        return -xp.sqrt(_squared(left, right))

    def distances(self, points: Array, prototypes: Array) -> Floats:
        """Squared Euclidean distances, which order points as the kernel does and never underflow."""
        return squared_distances(np.asarray(points, np.float64), np.asarray(prototypes, np.float64))


def _squared(left: Any, right: Any) -> Any:
    """‖x − y‖², tiny negative ones being 0."""
    norms = (left**2).sum(axis=1)[:, None] + (right**2).sum(axis=1)[None, :]
    return (norms - 2.0 * (left @ right.T)).clip(0.0)


class RBFPairs(ThreadedPairs):
    """RBF similarity of a fixed set of documents."""

    def __init__(self, vectors: Vectors, gamma: float, compute: Compute, center: Floats | None = None) -> None:
        super().__init__(vectors.n_documents, np.ones(vectors.n_documents), compute, RBF.abilities)
        self.gamma = gamma
        self._vectors = vectors
        self._middle = vectors.center() if center is None else center
        self._scale = math.sqrt(2.0 * gamma)
        self.unit = 1.0 / self._scale
        self._width = vectors.n_features + 2
        self._exact_rows: Array | None = None
        self._centered_rows: tuple[Floats, Floats] | None = None
        self._exact_asked = 0
        self._precision: type[Any] = compute.precision
        self._augmented, largest = self._augment()
        if self._precision is np.float32 and not fits_single(gamma, largest):
            self._precision = np.float64
            self._augmented, largest = self._augment()
        check_reach(gamma, largest)
        self.radius = math.sqrt(largest)
        self.resolution = 1e-7 if self._precision is np.float32 else 1e-13

    def sums(self, weights: Floats, gammas: Sequence[float] | None = None) -> Floats:
        """K @ weights, (N, C) → (N, C); for several γ in one pass over the pairs, shape (len(gammas), N, C)."""
        if gammas is None:
            return np.asarray(self.sums(weights, [self.gamma])[0])
        ratios = [gamma / self.gamma for gamma in gammas]
        return symmetric_sums(self._augmented, self._mirror_all(), weights, ratios, self._scratch, self.compute.threads)

    def reduce(self, operation: Operation, candidates: Rows, documents: Rows) -> tuple[Floats, ...]:
        """What the operation says of each candidate; sums by groups in one go."""
        if isinstance(operation, GroupSums):
            left, right = self._augmented[candidates], self._mirror(documents)
            return (exponential_sums(left, right, operation.weights, self._scratch, self.compute.threads),)
        return super().reduce(operation, candidates, documents)

    def block(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """k(rows, columns) at tile precision, or in float64."""
        if exact:
            return self._exact(rows, columns, lambda squared: np.exp(-self.gamma * squared), 1.0)
        block = self._exponents(rows, columns)
        np.minimum(block, 0.0, out=block)
        np.exp(block, out=block)
        mark_self(block, rows, columns, 1.0)
        return block

    def proximity(self, rows: Rows, columns: Rows, *, exact: bool = False) -> Array:
        """−‖x − y‖ at tile precision, or in float64; distances below its noise are 0."""
        precision = np.float64 if exact else self._precision
        noise = noise_below(self.radius, float(np.finfo(precision).eps))
        if exact:
            return self._exact(rows, columns, lambda squared: -np.sqrt(np.where(squared < noise, 0.0, squared)), 0.0)
        block = self._exponents(rows, columns)
        block *= -1.0 / self.gamma
        if block.size and block.min() < noise:
            block[block < noise] = 0.0
        np.sqrt(block, out=block)
        np.negative(block, out=block)
        mark_self(block, rows, columns, 0.0)
        return block

    def field(self, points: Floats, owner: Integers, weights: Floats, *, exact: bool = False) -> tuple[Floats, Floats]:
        """v_l = Σ_j weights[owner_l, j] k(a_l, x_j) and ∂v_l/∂a_l; two products a strip for all points together."""
        precision = np.float64 if exact else self._precision
        scaled = (points - self._middle) * self._scale
        left = np.empty((len(points), self._width), precision)
        left[:, :-2] = scaled
        left[:, -2] = 1.0
        left[:, -1] = -0.5 * squared_norms(scaled)
        total = np.zeros((len(points), self._width))

        def work(strip: slice) -> Array:
            right = self._rows_at(strip, precision)
            pull = left @ right.T
            np.minimum(pull, 0.0, out=pull)
            np.exp(pull, out=pull)
            pull *= weights[owner, strip]
            return pull @ right

        for part in ordered_map(work, blocks(self.n_documents, STRIP), self.compute.threads):
            total += part
        values = total[:, -1].copy()  # the last column of every document is 1, so this is the plain sum
        return values, self._scale * (total[:, :-2] - values[:, None] * scaled)

    def beyond(self, points: Floats) -> int:
        """How many points lie outside the ball around the mean that holds all documents."""
        return int(np.sum(squared_norms(points - self._middle) > (self.radius * (1.0 + 1e-9)) ** 2))

    def interaction(self, points: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
        """r_l = Σ_m c_lm k(a_l, a_m), and the gradient of Σ_l r_l."""
        return interaction(self.gamma, points, coefficients)

    def squared_distances(self, rows: Integers, points: Floats) -> Floats:
        """‖x − p‖² in float64; shape (rows, points)."""
        return self._vectors.squared_distances(rows, points)

    def _augment(self) -> tuple[Array, float]:
        """The rows [z, −½‖z‖², 1] of all documents at tile precision, and the largest ‖x − mean‖²."""
        augmented = np.empty((self.n_documents, self._width), self._precision)

        def work(rows: slice) -> float:
            strip = self._fresh_rows(rows)
            with np.errstate(over="ignore"):  # a float32 overflow shows in the norm, and float64 takes over
                augmented[rows] = strip
            return float(-strip[:, -2].min())

        largest = max(ordered_map(work, blocks(self.n_documents, STRIP), self.compute.threads))
        return augmented, largest / self.gamma

    def _fresh_rows(self, rows: slice) -> Floats:
        strip = np.empty((rows.stop - rows.start, self._width))
        centered = self._vectors.take(rows)
        centered -= self._middle
        with np.errstate(over="ignore"):  # a γ this large is refused once all norms are known
            np.multiply(centered, self._scale, out=strip[:, :-2])
            strip[:, -2] = -self.gamma * squared_norms(centered)
        strip[:, -1] = 1.0
        return strip

    def _rows_at(self, rows: slice, precision: type[Any]) -> Array:
        if precision is self._precision:
            return self._augmented[rows]
        if self._exact_rows is None and self.compute.fits(KEPT * self.n_documents * self._width, 8):
            cut = blocks(self.n_documents, STRIP)
            self._exact_rows = np.concatenate([self._fresh_rows(part) for part in cut])
        return self._fresh_rows(rows) if self._exact_rows is None else self._exact_rows[rows]

    def _centered(self, rows: Rows) -> tuple[Floats, Floats]:
        """Rows less the middle in float64, and ‖x‖² of each; of documents asked about again and again all are kept."""
        if self._exact_asked < OFTEN or not self.compute.fits(KEPT * self.n_documents * self._width, 8):
            taken = self._vectors.take(rows) - self._middle
            return taken, squared_norms(taken)
        if self._centered_rows is None:
            everything = self._vectors.take(slice(0, self.n_documents))
            everything -= self._middle
            self._centered_rows = everything, squared_norms(everything)  # only now: other threads may ask as well
        return self._centered_rows[0][rows], self._centered_rows[1][rows]

    def _mirror_all(self) -> Array:
        mirrored = np.empty_like(self._augmented)

        def work(rows: slice) -> None:
            _fill_mirrored(self._augmented[rows], mirrored[rows])

        for _ in ordered_map(work, blocks(self.n_documents, STRIP), self.compute.threads):
            pass
        return mirrored

    def _mirror(self, columns: Rows) -> Array:
        picked = self._augmented[columns]
        return _fill_mirrored(picked, np.empty_like(picked))

    def _exponents(self, rows: Rows, columns: Rows) -> Array:
        mirrored = self._mirror(columns)
        if len(mirrored) == 1:  # a product with a vector, several times faster than with a matrix of one column
            with np.errstate(invalid="ignore"):  # BLAS may flag lanes it does not use; all inputs are finite
                return np.asarray(self._augmented[rows] @ mirrored[0])[:, None]
        return np.asarray(self._augmented[rows] @ mirrored.T)

    def _exact(self, rows: Rows, columns: Rows, shape: Callable[[Floats], Floats], at_self: float) -> Floats:
        self._exact_asked += 1
        right, right_norms = self._centered(columns)

        def work(part: slice) -> Floats:
            left, norms = self._centered(part_of(rows, part))
            squared = norms[:, None] + right_norms[None, :] - 2.0 * (left @ right.T)
            return shape(np.maximum(squared, 0.0, out=squared))

        parts = list(ordered_map(work, blocks(count(rows), STRIP), self.compute.threads))
        block = np.concatenate(parts) if parts else np.empty((0, len(right)))
        mark_self(block, rows, columns, at_self)
        return block


def _fill_mirrored(rows: Array, mirrored: Array) -> Array:
    """The rows [z, 1, −½‖z‖²], whose products with [z, −½‖z‖², 1] are exponents."""
    mirrored[:, :-2] = rows[:, :-2]
    mirrored[:, -2] = 1.0
    mirrored[:, -1] = rows[:, -2]
    return mirrored


def fits_single(gamma: float, largest: float) -> bool:
    """Whether float32 holds the exponents and distances of documents whose largest ‖x − mean‖² is this."""
    return gamma * largest <= FLOAT32_REACH and FLOAT32_SQUARES[0] < largest < FLOAT32_SQUARES[1]


def check_reach(gamma: float, largest: float) -> None:
    """Refuse a γ at which not even float64 holds the exponents."""
    if gamma * largest > FLOAT64_REACH:
        raise InvalidParameter(
            f"gamma={gamma:g} is too large for these documents: some lie so far from the mean that γ·‖x − mean‖² "
            f"reaches {gamma * largest:.1g}; remove or scale them, or lower gamma"
        )


def noise_below(radius: float, eps: float) -> float:
    """Squared distances that may be rounding alone, among documents within this radius of their mean."""
    return 16.0 * eps * radius**2


def interaction(gamma: float, points: Floats, coefficients: Floats) -> tuple[Floats, Floats]:
    """r_l = Σ_m c_lm k(a_l, a_m), and the gradient of Σ_l r_l."""
    pairs = np.exp(-gamma * squared_distances(points, points))
    np.fill_diagonal(pairs, 1.0)
    pull = (coefficients + coefficients.T) * pairs
    gradient = 2.0 * gamma * (pull @ points - pull.sum(axis=1)[:, None] * points)
    return (coefficients * pairs).sum(axis=1), gradient
