"""How much of a card's memory may be used, and tiles that will be read again, kept within it."""

from __future__ import annotations

import gc
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


def free_on(device: Any) -> int:
    """Bytes of a card that are free: what torch holds back from tensors that are gone is free as well."""
    held_back = torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device)
    return int(torch.cuda.mem_get_info(device)[0] + held_back)


class KeptTensors:
    """Tiles by what they hold; those not read for longest make room."""

    def __init__(self, device: Any) -> None:
        self._device = device
        self._tiles: OrderedDict[Hashable, Any] = OrderedDict()
        self._held, self._cleared = 0, False
        self._lock = Lock()
        self._most = self._room()

    def recall(self, key: Hashable, compute: Callable[[], Any], in_all: int) -> Any:
        """The tile under that key, kept if all those that will be asked for, so many bytes, have room."""
        with self._lock:
            if key in self._tiles:
                self._tiles.move_to_end(key)
                return self._tiles[key]
        tile = compute()
        if in_all > self._most and not self._has_room_after_all(in_all):
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

    def _has_room_after_all(self, in_all: int) -> bool:
        """Once what nobody can reach any more, an earlier session for instance, is cleared away."""
        if not self._cleared:
            self._cleared = True
            gc.collect()
            self._most = max(self._most, self._room() + self._held)
        return in_all <= self._most

    def _room(self) -> int:
        return int(SHARE * free_on(self._device)) if self._device.type == "cuda" else WITHOUT_A_CARD
