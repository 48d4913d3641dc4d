"""Signs that were read in a wrong encoding before they came into a file: `â€™` for ’, `Ã©` for é.

They are UTF-8 that was taken for Windows-1252 or Latin-1. Where all signs of a text beyond ASCII are such, all are put
right; where only some are, those that no language writes.
"""

from __future__ import annotations

import re

_WINDOWS = {bytes([code]).decode("cp1252", "ignore"): code for code in range(0x80, 0xA0)}  # its own signs
_BYTES = {ord(sign): code for sign, code in _WINDOWS.items() if sign} | {code: code for code in range(0x80, 0x100)}
_MORE = "\x80-\xbf" + "".join(re.escape(sign) for sign in _WINDOWS if sign)  # what follows the first byte of a sign
_ANY = re.compile(f"[\xc2-\xdf][{_MORE}]|[\xe0-\xef][{_MORE}]{{2}}|[\xf0-\xf4][{_MORE}]{{3}}")
_SURE = re.compile(f"\xe2(?:[€\x80-\x9f][{_MORE}]|„¢|‚¬)|\xf0[Ÿ\x9f][{_MORE}]{{2}}|\xc2[\x80-\xa0]")
_BLANK = re.compile("\xc2(?=\\s|$)")  # of a blank that does not break: its second byte became a usual one
_BEYOND = re.compile("[^\x00-\x7f]")
FEWEST = 2  # such signs in a text that has no others; one alone may be meant


def mended(text: str) -> str:
    """The text with such signs put right; the same text where there is none."""
    if text.isascii() or _ANY.search(text) is None:
        return text
    found, count = _BLANK.sub("", text) if _SURE.search(text) else text, len(_ANY.findall(text))
    others = _BEYOND.search(_ANY.sub("", found)) is not None
    return (_SURE if count < FEWEST or others else _ANY).sub(_decoded, found)


def _decoded(found: re.Match[str]) -> str:
    try:
        return bytes(_BYTES[ord(sign)] for sign in found[0]).decode()
    except UnicodeDecodeError:
        return found[0]
