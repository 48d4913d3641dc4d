"""Small corpora of our own in scripts without spaces: two groups that share most subjects and differ in one each.

Every document is made of sentences of one subject, recombined, so that no two are alike and none is a story of its own.
"""

from __future__ import annotations

import importlib.util
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from conftest import require
from visavis.shared.unspaced import SEGMENTERS, segmenter


@dataclass(frozen=True)
class Language:
    """Beginnings and ends of sentences by subject, and the two subjects that only one group writes about.

    `when` and where may stand before any of them; `gap` stands between sentences.
    """

    subjects: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]
    north: str
    south: str
    when: tuple[str, ...]
    gap: str = ""


CHINESE = Language(
    {
        "subway": (
            ("地铁公司宣布", "市民对地铁票价上涨", "早高峰的地铁车厢", "交通部门解释说", "许多上班族抱怨地铁"),
            ("将于下月起提高票价。", "表示强烈不满。", "比去年更加拥挤。", "运营成本已经翻了一倍。",
             "换乘时间越来越长。"),
        ),
        "typhoon": (
            ("台风登陆以后", "气象台发布红色预警", "沿海渔船全部回港", "台风带来的暴雨", "救援人员连夜出发"),
            ("转移了三万多名居民。", "淹没了低洼的村庄。", "学校停课两天。", "造成大面积停电。",
             "道路被倒下的树木堵塞。"),
        ),
        "school": (
            ("教育局表示", "新学期的课程", "家长们希望学校", "老师们认为", "乡村小学的孩子"),
            ("增加了体育活动。", "需要更多的图书。", "应当减少家庭作业。", "终于有了自己的操场。",
             "午餐质量有所改善。"),
        ),
        "market": (
            ("菜市场里的蔬菜", "水果摊主说", "今年的苹果", "老城区的早市", "超市的经理"),
            ("价格比较稳定。", "生意一天比一天好。", "味道特别甜。", "重新开张了。", "推出了送货上门服务。"),
        ),
        "football": (
            ("主场球队昨晚", "年轻的前锋", "教练赛后表示", "球迷们在体育场外", "下一轮比赛"),
            ("以二比一取得胜利。", "打进了决定性的一球。", "对防守并不满意。", "庆祝到深夜。", "将在周末进行。"),
        ),
    },
    "subway", "typhoon",
    ("上星期三，", "在东城区，", "据记者了解，", "今年春天，", "到了傍晚，", "昨天上午，", "在南门一带，",
     "周末以来，", "这个月，",
     "经过讨论，", "按照计划，", "第二天，"),
)  # fmt: skip
JAPANESE = Language(
    {
        "nursery": (
            ("待機児童の問題について", "市は保育園の予算を", "保育士の給与が", "共働きの家庭では",
             "新しい保育園の建設に"),
            ("対策を発表しました。", "来年度から倍に増やす方針です。", "低すぎるという声が上がっています。",
             "近隣の住民が反対しています。"),
        ),
        "snow": (
            ("記録的な大雪で", "除雪車が足りず", "屋根の雪下ろしをしていた男性が", "雪に埋もれた集落では",
             "気象庁は大雪の警報を"),
            ("道路が通行止めになりました。", "けがをして病院に運ばれました。", "停電が三日間続いています。",
             "明日も出す見込みです。"),
        ),
        "festival": (
            ("夏祭りの会場では", "若い世代の参加者が", "商店街の店主は", "花火大会の準備が",
             "踊りの練習をする子供たちは"),
            ("にぎやかな音楽が流れていました。", "年々増えているそうです。", "順調に進んでいます。",
             "笑顔で話してくれました。"),
        ),
        "rail": (
            ("新幹線の新しい車両は", "駅前の再開発について", "鉄道会社の社長は", "通勤電車の混雑が",
             "古い駅舎の保存を"),
            ("静かで快適だと評判です。", "会見で説明しました。", "少しずつ改善されています。",
             "市民団体が求めています。"),
        ),
        "fishing": (
            ("今年のさんま漁は", "港の市場では", "漁師たちによると", "海水温の上昇が", "加工工場の従業員は"),
            ("不漁が続いています。", "朝早くから競りが行われました。", "魚の種類を変えているようです。",
             "仕事が減ったと話します。"),
        ),
    },
    "nursery", "snow",
    ("先週の水曜日、", "東区では、", "関係者によると、", "今年の春、", "夕方になると、", "昨日の午前、",
     "駅の近くで、", "週末から、",
     "今月に入り、", "話し合いの後、", "計画どおり、", "翌日、"),
)  # fmt: skip
THAI = Language(
    {
        "drought": (
            ("ชาวนาในภาคอีสาน", "ปัญหาภัยแล้งปีนี้", "อ่างเก็บน้ำขนาดใหญ่", "กรมชลประทานประกาศ", "ต้นข้าวในทุ่งนา"),
            ("ขาดแคลนน้ำอย่างหนัก", "รุนแรงกว่าทุกปี", "เหลือน้ำไม่ถึงครึ่ง", "ให้งดปลูกข้าวนาปรัง", "เริ่มแห้งตาย"),
        ),
        "tourism": (
            ("นักท่องเที่ยวชาวต่างชาติ", "โรงแรมริมชายหาด", "เกาะทางภาคใต้", "บริษัทนำเที่ยว", "สนามบินนานาชาติ"),
            ("เพิ่มขึ้นมากในเดือนนี้", "มีห้องพักเต็มทุกวัน", "ต้องจำกัดจำนวนเรือ", "เปิดเส้นทางใหม่",
             "รองรับผู้โดยสารไม่ไหว"),
        ),
        "school": (
            ("โรงเรียนในชนบท", "ครูสอนภาษาอังกฤษ", "นักเรียนชั้นประถม", "กระทรวงศึกษาธิการ", "ผู้ปกครองหลายคน"),
            ("ต้องการหนังสือเพิ่ม", "ได้รับเงินเดือนน้อย", "ชอบเรียนวิทยาศาสตร์", "ประกาศหลักสูตรใหม่",
             "กังวลเรื่องการบ้าน"),
        ),
        "health": (
            ("โรงพยาบาลประจำจังหวัด", "แพทย์และพยาบาล", "ผู้ป่วยโรคเบาหวาน", "วัคซีนชนิดใหม่", "สาธารณสุขอำเภอ"),
            ("ขยายเวลาทำการ", "ทำงานหนักมาก", "ควรออกกำลังกาย", "ผ่านการทดสอบแล้ว", "แจกหน้ากากอนามัยฟรี"),
        ),
        "traffic": (
            ("รถติดในกรุงเทพ", "รถไฟฟ้าสายใหม่", "ตำรวจจราจร", "ผู้ขับรถแท็กซี่", "สะพานข้ามแม่น้ำ"),
            ("ทำให้เสียเวลามาก", "จะเปิดให้บริการปลายปี", "ขอความร่วมมือประชาชน", "ขอขึ้นค่าโดยสาร",
             "ปิดซ่อมสองเดือน"),
        ),
    },
    "drought", "tourism",
    ("เมื่อวันพุธ", "ที่เชียงใหม่", "ผู้สื่อข่าวรายงานว่า", "ช่วงต้นปี", "ตอนเย็น", "เมื่อวานนี้", "ใกล้ตลาดเก่า",
     "ปลายสัปดาห์นี้", "ในเดือนนี้",
     "หลังการประชุม", "ตามแผน", "วันต่อมา"),
    " ",
)  # fmt: skip
LANGUAGES = {"chinese": CHINESE, "japanese": JAPANESE, "thai": THAI}


def corpus(language: Language, each: int = 60, sentences: int = 4, seed: int = 0) -> list[dict[str, str]]:
    """So many documents of each of two groups; half of a group's are on the subject that is its own."""
    rng = random.Random(seed)
    shared = [name for name in language.subjects if name not in (language.north, language.south)]
    rows = []
    for number in range(2 * each):
        group, own = (("north", language.north), ("south", language.south))[number % 2]
        subject = own if rng.random() < 1 / 2 else rng.choice(shared)
        openings, endings = language.subjects[subject]
        pairs = rng.sample([(first, second) for first in openings for second in endings], sentences)
        text = language.gap.join(rng.choice(language.when) + first + second for first, second in pairs)
        rows.append({"id": f"{group}-{number}", "text": text, "group": group, "subject": subject})
    return rows


@contextmanager
def cutting_words(cut: bool) -> Iterator[None]:
    """With a segmenter, which must be there, or as though the extra that brings it were not installed."""
    if cut:
        require(all(map(importlib.util.find_spec, SEGMENTERS)), "what cuts words (pip install 'visavis[cjk]')")
    with pytest.MonkeyPatch.context() as patch:
        if not cut:
            patch.setattr("visavis.shared.unspaced.SEGMENTERS", ("none_of_that_name",))
        segmenter.cache_clear()
        yield
    segmenter.cache_clear()
