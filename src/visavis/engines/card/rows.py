"""The documents' vectors as products need them: centered, scaled by √(2γ), with half their squared norms."""

from __future__ import annotations

import math
from typing import Any

import torch

from visavis.engines.card.fusing import can_fuse
from visavis.engines.card.sums import Columns
from visavis.kernel.rbf import check_reach, fits_single
from visavis.kernel.threads import blocks
from visavis.records import Floats, Rows

STRIP = 2**18
FUSED_FROM = 16384  # documents; fewer are done before a fused kernel has started
DOUBLE_UP_TO = 2**17  # documents; so many are done soon enough in float64, on cards that are good at it
GOOD_AT_DOUBLE = ((8, 0), (9, 0), (10, 0))  # compute capabilities
LOOSE = 1.5  # times as many rows: with more of them empty, a fused kernel wins nothing

Row = tuple[Any, Any]  # z, ½‖z‖²


class ScaledRows:
    """z = √(2γ)(x − center) of all documents, in single precision where that holds them, and in float64 when asked."""

    def __init__(self, rows: Any, center: Floats, gamma: float, dtype: str) -> None:
        self.rows, self.gamma = rows, gamma
        self._center = torch.as_tensor(center).to(rows.device)
        self._z, self._half = self._all(torch.float32)
        largest = float(self._half.max()) / gamma
        check_reach(gamma, largest)
        self.radius = math.sqrt(largest)
        self.is_single = dtype == "float32" and fits_single(gamma, largest) and not _doubles(rows)
        self.dtype = torch.float32 if self.is_single else torch.float64
        if not self.is_single:
            self._z, self._half = self._all(torch.float64)

    def _all(self, dtype: Any) -> Row:
        """z in this precision and ½‖z‖² in float64, of all documents."""
        z = torch.empty(self.rows.shape, dtype=dtype, device=self.rows.device)
        half = torch.empty(len(self.rows), dtype=torch.float64, device=self.rows.device)
        for strip in blocks(len(self.rows), STRIP):
            exact, half[strip] = self.exact(strip)
            z[strip] = exact
        return z, half

    @property
    def n_documents(self) -> int:
        """N."""
        return len(self.rows)

    def at(self, gamma: float) -> ScaledRows:
        """The same at another γ."""
        if gamma == self.gamma:
            return self
        dtype = "float32" if self.is_single else "float64"
        return ScaledRows(self.rows, self._center.cpu().numpy(), gamma, dtype)

    def fuses(self, columns: Columns) -> bool:
        """Whether a fused kernel can make these sums, and pays."""
        enough = self.n_documents >= FUSED_FROM and columns.padded_rows() <= LOOSE * self.n_documents
        return self.is_single and enough and can_fuse(self.rows.device)

    def take(self, rows: Rows) -> Row:
        """z and ½‖z‖² at the precision of the search."""
        at = rows if isinstance(rows, slice) else torch.as_tensor(rows).to(self.rows.device)
        return self._z[at], self._half[at].to(self.dtype)

    def take_sorted(self, places: Any) -> Row:
        """The same of documents whose numbers lie on the card."""
        return self._z[places], self._half[places]

    def exact(self, rows: Rows) -> Row:
        """The same in float64."""
        at = rows if isinstance(rows, slice) else torch.as_tensor(rows).to(self.rows.device)
        z = (self.rows[at].double() - self._center) * math.sqrt(2.0 * self.gamma)
        return z, 0.5 * (z**2).sum(dim=1)

    @staticmethod
    def exponents(left: Row, right: Row) -> Any:
        """−γ‖x − y‖², what rounding lifts above 0 being 0."""
        product = left[0] @ right[0].T
        product -= left[1][:, None]
        product -= right[1][None, :]
        return product.clamp_(max=0.0)


def _doubles(rows: Any) -> bool:
    """Whether float64 costs so little here that nothing coarser is worth it."""
    return len(rows) <= DOUBLE_UP_TO and good_at_double(rows.device)


def good_at_double(device: Any) -> bool:
    """Whether a card does float64 about as fast as float32."""
    return device.type == "cuda" and torch.cuda.get_device_capability(device) in GOOD_AT_DOUBLE
