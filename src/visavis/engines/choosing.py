"""Which engine answers: made from what was asked and from what this machine has."""

from __future__ import annotations

from typing import Any

from visavis.contracts import Engine
from visavis.errors import Incompatible, InvalidParameter
from visavis.records import Compute
from visavis.registry import Registry, Row
from visavis.shared.extras import is_there, require

ENGINES = Registry(
    "engine",
    {
        "threads": Row("visavis.engines.local:LocalEngine", "this machine's threads"),
        "cuda": Row("visavis.engines.card:CardEngine", "a card of this machine", "gpu"),
        "dask": Row("visavis.engines.cluster:ClusterEngine", "a Dask cluster, as dask://host:port", "dask"),
    },
)  # each is made from the compute it may use, and the address after "://", where one is given
DEVICES = ("auto", "cpu", "cuda")
WORTHWHILE = 1e12  # documents² × features, from which on a card saves more time than it takes to start
THREADS, CLUSTER = "threads", "dask"


def check_device(device: object) -> str:
    """One of the devices, and "cuda" only where there is one.

    Raises InvalidParameter for anything else and without a card that torch can use, MissingExtra without torch.
    """
    if device not in DEVICES:
        raise InvalidParameter(f"device must be one of {', '.join(DEVICES)}, got {device!r}")
    if device == "cuda":
        require("torch", extra="gpu", what="device='cuda'")
        if _count_cards() == 0:
            raise InvalidParameter(
                f"device='cuda' needs a card, and torch {_torch().__version__} finds none: use device='cpu' or 'auto'"
            )
    return str(device)


def check_engine(engine: object) -> None:
    """Refuse what is no engine, before anything is read.

    Raises UnknownName, InvalidParameter for an address that is none, MissingExtra for one that is not installed.
    """
    if not isinstance(engine, str):
        if not all(hasattr(engine, name) for name in ("name", "place", "bind", "each")):
            raise InvalidParameter(f"engine must be a name or keep the contract of an engine, got {engine!r}")
        return
    name, mark, address = engine.partition("://")
    ENGINES.load(name)
    host, _, port = address.rpartition(":")
    if name == CLUSTER and not (host and port.isdigit() and 0 < int(port) < 65536):
        raise InvalidParameter(f"engine={engine!r} needs the address of a scheduler, as in dask://localhost:8786")
    if name == THREADS and mark:
        raise InvalidParameter(f"engine={engine!r} has an address, and threads need none: use engine='threads'")


def choose_engine(
    engine: Any = THREADS,
    device: str = "auto",
    compute: Compute | None = None,
    *,
    vectors: Any = None,
    kernel: Any = "rbf",
) -> Engine:
    """The engine of that name ("threads", or "name://address"), or on that device; an engine itself is taken as it is.

    "auto" is the card where there is one and the work is worth it, else the CPU. Raises UnknownName, MissingExtra if
    torch is not installed, InvalidParameter if there is no card, Incompatible for a cluster on a card.
    """
    compute, device = compute or Compute(), check_device(device)
    if not isinstance(engine, str):
        found: Engine = engine
        return found
    name, _, address = engine.partition("://")
    if name == THREADS and (device == "cuda" or (device == "auto" and _pays(vectors, kernel))):
        name = "cuda"
    elif device == "cuda" and name != "cuda":
        raise Incompatible(f"device='cuda' is a card of this machine, and engine={engine!r} is not: give one of them")
    made: Engine = ENGINES.create(name, compute, *([address] if address else []))
    return made


def _pays(vectors: Any, kernel: Any) -> bool:
    """Whether there is a card that would do this work sooner; torch is looked for only where there is enough of it."""
    if vectors is None or not isinstance(kernel, str) or kernel == "precomputed" or hasattr(vectors, "toarray"):
        return False
    n_documents, n_features = vectors.shape
    enough = float(n_documents) ** 2 * n_features >= WORTHWHILE
    return enough and is_there("torch") and _count_cards() > 0 and _has_room(vectors.nbytes)


def _has_room(n_bytes: int) -> bool:
    """Whether the card holds so much three times, and something beside it."""
    free, _ = _torch().cuda.mem_get_info()
    return bool(free > 4 * n_bytes)


def _count_cards() -> int:
    cuda = _torch().cuda
    return int(cuda.device_count()) if cuda.is_available() else 0


def _torch() -> Any:
    import torch  # seconds, so only where it is used

    return torch
