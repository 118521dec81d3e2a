"""The `channels` template: mine can be put in order, recommended stays as it is."""
import pytest
from boardpage import agree

MINE = ["推荐", "热点", "北京", "视频", "社会", "娱乐", "科技", "汽车", "体育", "财经", "军事", "国际",
        "时尚", "旅游", "健康", "历史"]
RECOMMENDED = ["美食", "育儿", "养生", "故事", "美文", "游戏", "股票", "房产", "家居", "宠物", "动漫",
               "摄影", "音乐", "电影", "读书", "教育", "文化", "星座"]


@pytest.fixture
def channels(server):
    return server.create(template="channels")["id"]


@pytest.fixture
def two(server, channels, join):
    return join(server, channels, "Mia"), join(server, channels, "Ben")


def test_both_sections_and_their_words_are_shown_as_they_are(two):
    for one in two:
        assert one.words() == {"mine": MINE, "recommended": RECOMMENDED}
        titles = one.page.locator("[data-section] h2").all_text_contents()
        assert titles == ["我的频道", "推荐频道"]
        cut = one.page.evaluate("""() => [...document.querySelectorAll('.label')]
          .filter((label) => label.scrollWidth > label.clientWidth).map((l) => l.textContent)""")
        assert not cut, "labels of two characters are cut off"


def test_mine_is_put_in_order(server, channels, two):
    mia, ben = two
    cells = mia.cells()
    mia.lift(mia.named("历史")).carry_to(cells, "mine", 1)
    ben.sees_gap(mia.peer, "mine", 1)
    mia.drop()
    agree(server, channels, mia, ben)
    for one in two:
        assert one.words() == {"mine": MINE[:1] + MINE[-1:] + MINE[1:-1],
                               "recommended": RECOMMENDED}


def test_nothing_is_lifted_from_recommended(server, channels, two):
    """DR15: refused with a reason in words, and nobody else hears of it."""
    mia, ben = two
    revision = mia.revision
    icon = mia.named("美食")
    mia.press(icon)
    mia.toasted("Icons stay where they are in this section")
    mia.page.locator(f'[data-icon="{icon}"].shake').wait_for()
    x, y = mia.middle(mia.named("推荐"))
    mia.page.mouse.move(x, y, steps=3)
    assert mia.page.locator("[data-my-drag]").count() == 0 and mia.gap() is None
    mia.page.mouse.up()
    mia.frames()
    assert ben.page.locator("[data-remote-drag]").count() == 0
    assert server.board(channels)["revision"] == revision
    assert mia.words() == {"mine": MINE, "recommended": RECOMMENDED}


def test_mine_over_recommended_is_forbidden_and_says_why(server, channels, two):
    """BD7 DR5: `forbidden` looks different from over nothing, to both; a drop changes nothing."""
    mia, ben = two
    revision, cells = mia.revision, mia.cells()
    mia.lift(mia.named("热点")).carry(*cells["recommended 5"])
    reason = "Nothing can be dropped into this section"
    mia.page.locator('[data-section="recommended"][data-over="forbidden"]').wait_for()
    hand = mia.page.locator("[data-my-drag].refused")
    hand.wait_for()
    assert hand.locator(".tag").text_content() == reason
    assert mia.gap() is None
    theirs = ben.page.locator(f'[data-remote-drag="{mia.peer}"]')
    ben.page.locator(f'[data-remote-drag="{mia.peer}"].refused').wait_for()
    assert ben.gap(mia.peer) is None
    # Over nothing it isn't refused, only nowhere.
    mia.carry(30, 500)
    mia.page.locator("[data-my-drag].nowhere:not(.refused)").wait_for()
    ben.page.locator(f'[data-remote-drag="{mia.peer}"]:not(.refused)').wait_for()
    mia.carry(*cells["recommended 5"])
    hand.wait_for()
    mia.drop()
    mia.toasted(reason)
    theirs.wait_for(state="detached")
    agree(server, channels, mia, ben)
    assert server.board(channels)["revision"] == revision
    for one in two:
        assert one.words() == {"mine": MINE, "recommended": RECOMMENDED}


def test_a_drag_across_recommended_back_into_mine_still_lands(server, channels, two):
    mia, ben = two
    cells, icon = mia.cells(), mia.named("推荐")
    mia.lift(icon).carry(*cells["recommended 2"])
    mia.page.locator('[data-over="forbidden"]').wait_for()
    mia.carry_to(cells, "mine", 6)
    mia.drop()
    assert agree(server, channels, mia, ben)["mine"].index(icon) == 6


def test_two_people_put_mine_in_order_at_once(server, channels, two):
    """O-09 O-15: the same channel by two people: once, in one place, the same for both."""
    mia, ben = two
    cells, theirs = mia.cells(), ben.cells()
    icons = mia.order()["mine"]
    for index in (3, 9, 14):
        mia.lift(icons[index]).carry(*cells["mine 0"])
        ben.lift(icons[index - 1]).carry(*theirs["mine 15"])
        ben.drop()
        mia.drop()
        now = agree(server, channels, mia, ben)
        assert sorted(now["mine"]) == sorted(icons)
        assert ben.words()["recommended"] == RECOMMENDED
        icons = now["mine"]
        mia.at_rest()
        ben.at_rest()
