"""Signs that were read in a wrong encoding before they came into a file: `â€™` for ’, `Ã©` for é.

They are UTF-8 that was taken for Windows-1252 or Latin-1, sometimes more than once. A capital before a quotation mark
or a dash ("NESTLÉ’S", "Spaß…") looks the same, so there must be some that no language writes: then all are put right,
or those alone where a text holds other signs beyond ASCII, too.
"""

from __future__ import annotations

import re

_WINDOWS = {bytes([code]).decode("cp1252", "ignore"): code for code in range(0x80, 0xA0)}  # its own signs
_BYTES = {ord(sign): code for sign, code in _WINDOWS.items() if sign} | {code: code for code in range(0x80, 0x100)}
_MORE = "\x80-\xbf" + "".join(re.escape(sign) for sign in _WINDOWS if sign)  # what follows the first byte of a sign
_SIGN = f"(?:[\xc2-\xdf][{_MORE}]|[\xe0-\xef][{_MORE}]{{2}}|[\xf0-\xf4][{_MORE}]{{3}})"
_ANY = re.compile(_SIGN)
_SURE = re.compile(  # dashes, quotation marks, pictures; blanks; é and its like, but not where a mark may be meant
    f"\xe2(?:[€\x80-\x9f][{_MORE}]|„¢|‚¬)|\xf0[Ÿ\x9f][{_MORE}]{{2}}|\xc2[\x80-\xa0]|\xc3[\x80-\x9f¡-ª¬-³µ-ºŒœŠšŽžŸƒˆ¼-¿]"
)
_RUN = re.compile(f"{_SIGN}{{2,}}")  # as texts in other scripts have
_BLANK = re.compile("\xc2(?=\\s|$)")  # of a blank that does not break: its second byte became a usual one
_BEYOND = re.compile("[^\x00-\x7f]")
_LEAD = b"\xc3"  # what the first byte of each, taken for a sign, begins with in UTF-8: quicker to rule out than to find
MOST_TIMES = 3  # that a text was misread


def mended(text: str) -> str:
    """The text with such signs put right; the same text where there is none."""
    for _ in range(MOST_TIMES):
        if text.isascii() or _LEAD not in text.encode("utf-8", "surrogatepass") or _ANY.search(text) is None:
            break
        once = _mended_once(text)
        if once == text:
            break
        text = once
    return text


def _mended_once(text: str) -> str:
    sure = _SURE.search(text) is not None
    if not sure and _RUN.search(text) is None:
        return text
    found = _BLANK.sub("", text) if sure else text
    others = _BEYOND.search(_ANY.sub("", found)) is not None
    return (_SURE if others else _ANY).sub(_decoded, found)


def _decoded(found: re.Match[str]) -> str:
    try:
        return bytes(_BYTES[ord(sign)] for sign in found[0]).decode()
    except UnicodeDecodeError:
        return found[0]
