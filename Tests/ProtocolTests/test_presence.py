"""PR: who is here."""
import pytest

from client import agree, fence


def test_PR1_joined_and_PR2_left(abc):
    w = abc.join("watcher")
    p = abc.join("Mia")
    joined = w.expect(type="peer.joined")
    assert joined["peer"] == p.replica.peers[p.me] and "replaces" not in joined
    p.close()
    assert w.expect(type="peer.left", timeout=2) == {"type": "peer.left", "peer": p.me}
    fence(w)
    assert len(w.heard(type="peer.left")) == 1


def test_PR7_who_is_editing(abc):
    w, p = abc.join("watcher"), abc.join("Mia")
    for editing in (True, True, False, True):
        p.send({"type": "presence", "editing": editing})
    w.expect(type="peer.changed")
    fence(w, p)
    told = [e["peer"].get("editing", False) for e in w.heard(type="peer.changed")]
    assert told == [True, False, True]
    assert w.replica.peers[p.me]["editing"] is True
    late = abc.join("Ida")
    assert late.replica.peers[p.me]["editing"] is True
    q = p.again()
    assert "editing" not in q.replica.peers[q.me]


@pytest.mark.parametrize("code", [1000, 1001, None, 3000, 4999])
def test_PR2_O16_a_clean_close_ends_the_drag_at_once(abc, code):
    w, p = abc.join("watcher"), abc.join("Mia")
    drag = p.begin(abc["A"])
    for i in range(3):
        p.target(drag, {"section": "t", "index": i}, t=f"{i}")
    w.expect(type="drag.target", t="2")
    p.close(code)
    assert w.expect(type="drag.ended", timeout=2)["outcome"] == "disconnected"
    w.expect(type="peer.left", timeout=2)
    assert w.place(type="drag.ended") < w.place(type="peer.left")
    mine = w.begin(abc["A"])
    w.cancel(mine)
    assert abc.stored() == {"s": "ABCDE", "t": "XYZ"}


@pytest.mark.parametrize("how", ["reset", "hang_up"])
def test_PR3_PR4_back_within_the_grace(abc, how):
    w, p = abc.join("watcher"), abc.join("Mia")
    drag = p.begin(abc["A"])
    p.target(drag, {"section": "t", "at": "end"}, t="x")
    w.expect(type="drag.target", t="x")
    getattr(p.socket, how)()
    q = p.again()
    joined = w.expect(type="peer.joined", replaces=p.me)
    assert joined["peer"]["peer"] == q.me != p.me
    own = q.replica.welcome["drags"]
    assert [(d["peer"], d["drag"], d["icons"]) for d in own] == [(q.me, drag, [abc["A"]])]
    assert own[0]["target"] == {"section": "t", "index": 3}
    fence(w, q)
    assert not w.heard(type="peer.left") and not w.heard(type="drag.ended")
    q.target(drag, {"section": "t", "at": "start"}, t="y")
    assert w.expect(type="drag.target", t="y")["peer"] == q.me
    answer = q.drop(drag)
    assert answer["type"] == "commit" and answer["peer"] == q.me
    assert w.expect(type="drag.ended")["peer"] == q.me
    assert q.begin(abc["B"]) > drag
    agree(w, q)


def test_PR4_a_take_over_keeps_the_drag(abc):
    w, p = abc.join("watcher"), abc.join("Mia")
    drag = p.begin(abc["A"])
    p.target(drag, {"section": "t", "at": "end"}, t="x")
    w.expect(type="drag.target", t="x")
    q = p.again()
    assert p.closed()[0] == 4409
    w.expect(type="peer.joined", replaces=p.me)
    assert [(d["peer"], d["drag"]) for d in q.replica.welcome["drags"]] == [(q.me, drag)]
    assert q.drop(drag)["type"] == "commit"
    fence(w, q)
    assert [e["peer"] for e in w.heard(type="drag.ended")] == [q.me]
    assert abc.seen(w) == {"s": "BCDE", "t": "XYZA"}


def test_PR5_O24_the_old_sockets_end_does_not_touch_the_new(abc):
    w, one = abc.join("watcher"), abc.join("Mia")
    two = one.again()
    drag = two.begin(abc["A"])
    three = two.again()
    one.closed(), two.closed()
    one.socket.hang_up()
    three.target(drag, {"section": "t", "at": "end"})
    assert three.drop(drag)["type"] == "commit"
    fence(w, three)
    joins = [e["peer"]["peer"] for e in w.heard(type="peer.joined") if e["peer"]["client"] == one.client]
    assert joins == [one.me, two.me, three.me]
    assert not w.heard(type="peer.left")
    assert {p["client"] for p in w.replica.peers.values()} == {w.client, one.client}


def test_PR5_closing_exactly_while_the_next_says_hello(abc):
    w, p = abc.join("watcher"), abc.join("Mia")
    for i in range(20):
        if i % 2:
            p.socket.close()
        else:
            p.socket.reset()
        p = p.again()
        p.begin(abc["A"])
    fence(w, p)
    here = [x for x in w.replica.peers.values() if x["client"] == p.client]
    assert [x["peer"] for x in here] == [p.me]
    assert list(w.replica.drags) == [(p.me, p.drag_number)]
    agree(w, p)


def test_PR6_O25_three_tabs_on_one_board_and_one_on_another(abc, layout):
    other = layout({"s": "A"})
    wx, wy = abc.join("watcher x"), other.join("watcher y")
    tabs = [abc.join("Mia") for _ in range(3)]
    y = other.join("Mia")
    for i, tab in enumerate(tabs[:2]):
        tab.close()
        wx.expect(type="peer.left", peer=tab.me)
        assert sum(p["name"] == "Mia" for p in wx.replica.peers.values()) == 2 - i
    fence(wy, y)
    assert not wy.heard(type="peer.left")
    tabs[2].close()
    wx.expect(type="peer.left", peer=tabs[2].me)
    assert len(wx.replica.peers) == 1


def test_PR1_order_is_the_same_for_all(abc):
    watchers = [abc.join(f"w{i}") for i in range(3)]
    since = [w.mark() for w in watchers]
    for i in range(10):
        p = abc.join(f"guest {i}")
        if i % 2:
            p.close()
    fence(*watchers)
    heard = [[(e["type"], str(e["peer"])) for e in w.events[s:] if e["type"].startswith("peer.")
              and e["peer"] not in [x.me for x in watchers]] for w, s in zip(watchers, since)]
    last = heard[2]
    assert len(last) >= 15 and heard[0][-len(last):] == heard[1][-len(last):] == last


def test_PR_a_client_that_pipelines_hello_twice_is_there_once(abc):
    """O-27"""
    w = abc.join("watcher")
    p = abc.join("Mia")
    hello = {"type": "hello", "client": p.client, "name": "Mia"}
    p.send(hello, hello)
    fence(w, p)
    assert len(w.heard(type="peer.joined")) == 1 and len(p.heard(type="error")) == 2
