"""Words that hold sentences together: they may differ between groups, but they tell a reader nothing."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from visavis.shared.unspaced import has_unspaced, signs_of

ENGLISH = frozenset(  # a block of words reads better than a list of strings
    """
    about above according across after again against ago all almost along already also although always am among an and
    another any anyone anything are around as at away back be became because become been before behind being
    below between both but by came can cannot could did do does doing done down during each either else enough
    even ever every everyone few for from get gets getting give given go goes going gone got had has have having
    he her here hers herself him himself his how however if in into is isn't it its itself just keep kept knew
    know last least less let like made make makes making many may me might mine more most much must my myself
    near nearly neither never next no nobody none nor not nothing now of off often on once one ones only onto or
    other others our ours out over own per perhaps put quite rather really said same saw say saying says see seen
    several shall she should since so some someone something soon still such take taken takes tell tells than that the
    their theirs them themselves then there these they thing things this those though through thus to together
    told too took toward towards two under until up upon us use used very was wasn't way we well went were what when
    where whether which while who whole whom whose why will with within without won't would yet you your yours
    aren't can't couldn't didn't doesn't don't hadn't hasn't haven't i'd i'll i'm i've shouldn't they'll they're
    they've we'll we're we've weren't wouldn't you'll you're you've
    """.split()  # noqa: SIM905
)

# Single signs may be part of a phrase in the scripts without spaces, but these do not begin or end one.
CHINESE = frozenset(
    "的了是在和也就都而及与與着著或这這那有我你您他她它们們不没沒很被把从從对對于於为為以到个個之其并並但将將"
    "会會能可要让讓向由所地得吗嗎呢吧啊还還又再才只更最太且若如则則等即该該此各每些说說称稱"
) | frozenset(
    """
    我们 我們 你们 你們 他们 他們 她们 她們 自己 没有 沒有 可以 可能 应该 應該 必须 必須 因为 因為 所以 但是 不过 不過
    如果 虽然 雖然 然后 然後 而且 并且 並且 或者 以及 由于 由於 为了 為了 关于 關於 通过 通過 已经 已經 正在 曾经 曾經
    这个 這個 那个 那個 这些 這些 那些 这样 這樣 什么 什麼 怎么 怎麼 一个 一個 一些 其中 其他 之后 之後 之前 以后 以後
    以前 目前 同时 同時 表示 认为 認為 指出
    """.split()  # noqa: SIM905
)
THAI = frozenset(
    """
    และ ที่ ใน ของ เป็น มี ได้ ให้ ไม่ จะ กับ จาก ว่า นี้ นั้น ก็ แต่ หรือ โดย เพื่อ คือ อยู่ แล้ว ซึ่ง ต้อง ไป มา การ ความ
    เมื่อ ถ้า ยัง ทั้ง ทุก อีก แห่ง ตาม ถึง ขึ้น ลง ออก เข้า เรา เขา ผม ฉัน คุณ มัน กว่า มาก ด้วย ระหว่าง เพราะ จึง บาง หลาย
    """.split()  # noqa: SIM905
)
JAPANESE = frozenset(("ました", "ません", "という", "について", "として", "によって", "における", "ている"))
OF_ADDRESS = frozenset(("mr", "mrs", "ms", "rt", "qt"))  # how somebody is addressed, and how posts pass others on
LONGEST_PARTICLE = 2  # signs of hiragana: particles and endings; longer words may tell something

_ALL = ENGLISH | CHINESE | THAI | JAPANESE | OF_ADDRESS
_HIRAGANA = re.compile("[\u3041-\u309f]+")


def is_function_word(word: str, foreign: AbstractSet[str] = frozenset()) -> bool:
    """Whether a word only holds a sentence together; `foreign` are those that do in the languages of the texts."""
    if word in _ALL or word in foreign:
        return True
    return _HIRAGANA.fullmatch(word) is not None and len(word) <= LONGEST_PARTICLE


def is_single_sign(word: str) -> bool:
    """Whether a word is one sign of a script without spaces: by itself it says little, in a phrase it may."""
    return has_unspaced(word) and len(signs_of(word)) == 1
