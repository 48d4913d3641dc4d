"""Where operations run: this machine's threads, a card, or whatever else keeps the contract."""

from visavis.engines.choosing import DEVICES, ENGINES, check_device, choose_engine
from visavis.engines.local import LocalEngine

__all__ = ["DEVICES", "ENGINES", "LocalEngine", "check_device", "choose_engine"]
