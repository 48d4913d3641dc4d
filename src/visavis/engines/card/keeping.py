"""How much of a card's memory may be used, and tiles that will be read again, kept within it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any

import torch

ON_A_CARD, ON_THE_CPU = 2**27, 2**20  # values of a tile
SHARE = 0.4  # of the memory that is free
WITHOUT_A_CARD = 2**28  # bytes


def room_of(device: Any) -> int:
    """How many values a tile may hold."""
    return ON_A_CARD if device.type == "cuda" else ON_THE_CPU


class KeptTensors:
    """Tiles by what they hold; those not read for longest make room."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._tiles: OrderedDict[Hashable, Any] = OrderedDict()
        self._held = 0
        self._lock = Lock()
        free = torch.cuda.mem_get_info(device)[0] * SHARE if device.type == "cuda" else WITHOUT_A_CARD
        self._most = int(free)

    def recall(self, key: Hashable, compute: Callable[[], Any], in_all: int) -> Any:
        """The tile under that key, kept if all those that will be asked for, so many bytes, have room."""
        with self._lock:
            if key in self._tiles:
                self._tiles.move_to_end(key)
                return self._tiles[key]
        tile = compute()
        if in_all > self._most:
            return tile
        with self._lock:
            size = tile.numel() * tile.element_size()
            while self._tiles and self._held + size > self._most:
                _, old = self._tiles.popitem(last=False)
                self._held -= old.numel() * old.element_size()
            if key not in self._tiles:
                self._tiles[key] = tile
                self._held += size
        return tile
