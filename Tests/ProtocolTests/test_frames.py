"""FR: how bytes are cut makes no difference; limits and close codes."""
import socket
import struct

import pytest

import frames
from client import Peer, agree, encode, fence, listen, new_id


def padded(peer, edit, size):
    """A message of exactly `size` bytes under the next seq, as bytes."""
    message = peer.message(edit)
    message["pad"] = ""
    message["pad"] = "x" * (size - len(encode(message)))
    peer.replica.ask(message["seq"])
    text = encode(message)
    assert len(text) == size
    return text


def move(board, icon="A", **to):
    return {"kind": "icon.move", "icons": [board[icon]], "to": to or {"at": "end"}}


def test_O48_FR9_one_byte_frames_with_pings_between(abc):
    people = [abc.join(f"U{i}") for i in range(5)]
    streams = []
    for i, p in enumerate(people):
        text = padded(p, move(abc, "ABCDE"[i], section="t", at="start"), 900)
        ping = frames.frame(frames.PING, b"p" * 125)
        streams.append(frames.fragments(text, 1, lambda n: ping if n % 100 == 50 else None))
    for pieces in zip(*streams):
        for p, piece in zip(people, pieces):
            p.socket.send_raw(piece)
    for p in people:
        assert p.answer(1)["type"] == "commit"
        p.wait(lambda: p.socket.pongs, "pong")
        assert set(p.socket.pongs) == {b"p" * 125}
    agree(*people)
    assert len(people[0].order["t"]) == 8


def test_O48_FR9_one_frame_byte_by_byte(abc):
    p = abc.join()
    data = frames.frame(frames.TEXT, padded(p, move(abc), 900))
    for i in range(len(data)):
        p.socket.send_raw(data[i:i + 1])
    assert p.answer(1)["type"] == "commit"
    agree(p)


def test_O48_FR9_empty_fragments(abc):
    p = abc.join()
    text = padded(p, move(abc), 300)
    p.socket.send_raw(frames.frame(frames.TEXT, b"", fin=False)
                      + frames.frame(frames.CONTINUATION, text[:100], fin=False)
                      + frames.frame(frames.CONTINUATION, b"", fin=False)
                      + frames.frame(frames.CONTINUATION, text[100:], fin=False)
                      + frames.frame(frames.CONTINUATION, b""))
    assert p.answer(1)["type"] == "commit"
    agree(p)


def test_O48_FR9_200_messages_in_one_segment(abc):
    p = abc.join()
    p.send(*[p.message(move(abc, "ABCDE"[i % 5])) for i in range(200)])
    assert p.answer(200)["type"] == "commit"
    assert len(p.heard(type="commit")) == 200
    agree(p)


@pytest.mark.parametrize("cut", [1, 2, 3, 4, 7, 8, 9])
def test_O48_FR9_a_header_cut_in_the_middle(abc, cut):
    p = abc.join()
    data = frames.frame(frames.TEXT, padded(p, move(abc), 900))
    p.socket.send_raw(data[:cut])
    p.socket.ping() if cut == 0 else None
    listen(0.05, p)
    p.socket.send_raw(data[cut:])
    assert p.answer(1)["type"] == "commit"


def test_O48_an_unfinished_message_does_nothing(abc):
    w, p = abc.join("watcher"), abc.join()
    text = padded(p, move(abc), 900)
    p.socket.send_raw(frames.frame(frames.TEXT, text, fin=False))
    p.socket.reset()
    fence(w)
    assert abc.seen(w)["s"] == "ABCDE"


def test_O48_a_new_message_inside_another_closes_1002(abc):
    p = abc.join()
    p.socket.send_raw(frames.frame(frames.TEXT, b"{", fin=False) + frames.frame(frames.TEXT, b"{}"))
    assert p.closed()[0] in (1002, 1006)


@pytest.mark.parametrize("data", [
    frames.frame(frames.CONTINUATION, b"x"), frames.frame(3, b"x"), frames.frame(11, b"x"),
    frames.frame(frames.TEXT, b"{}", rsv=4), frames.frame(frames.PING, b"x", fin=False)],
    ids=["continuation of nothing", "opcode 3", "opcode 11", "RSV1", "fragmented ping"])
def test_O49_broken_frames_close_1002(abc, data):
    p, w = abc.join(), abc.join("watcher")
    p.socket.send_raw(data)
    assert p.closed()[0] in (1002, 1006)
    agree(w)


def test_O49_no_extension_is_agreed(abc):
    p = abc.join(headers=[("Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits")])
    assert "sec-websocket-extensions" not in p.socket.head.lower()
    assert p.edit(move(abc))["type"] == "commit"


def test_FR2_binary_closes_1003(abc):
    p = abc.join()
    p.socket.send_raw(frames.frame(frames.BINARY, encode(p.message(move(abc)))))
    assert p.closed()[0] == 1003
    assert abc.stored()["s"] == "ABCDE"


def test_FR2_bad_utf8_closes_1007(abc):
    p = abc.join()
    p.socket.send_raw(frames.frame(frames.TEXT, b'{"type":"\xff\xfe"}'))
    assert p.closed()[0] in (1007, 1006)


@pytest.mark.parametrize("pieces", [None, 1000, 4096, 65000])
def test_O50_FR4_exactly_the_limit_is_taken(abc, pieces):
    p = abc.join()
    limit = p.replica.welcome["limits"]["messageBytes"]
    for size in (limit - 1, limit):
        text = padded(p, move(abc, at=["end", "start"][size % 2]), size)
        parts = frames.fragments(text, pieces) if pieces and pieces > 2048 else None
        if pieces and not parts:
            parts = frames.fragments(text, -(-size // 32))      # 32 fragments are allowed
        p.socket.send_raw(b"".join(parts or [frames.frame(frames.TEXT, text)]))
        assert p.answer(p.seq)["type"] in ("commit", "result")
    agree(p)


@pytest.mark.parametrize("over", [1, 65536, 1 << 20])
@pytest.mark.parametrize("pieces", [None, 8192])
def test_O50_FR4_one_byte_more_closes_1009(abc, over, pieces):
    p, w = abc.join(), abc.join("watcher")
    size = p.replica.welcome["limits"]["messageBytes"] + over
    text = padded(p, move(abc), size)
    parts = frames.fragments(text, pieces) if pieces else [frames.frame(frames.TEXT, text)]
    p.socket.send_raw(b"".join(parts))
    assert p.closed()[0] == 1009
    counted = abc.server.get("/metrics").body.decode()
    assert 'homeboard_disconnects_total{code="1009"}' in counted
    fence(w)
    assert abc.seen(w)["s"] == "ABCDE"


@pytest.mark.parametrize("length", [(1 << 63) - 1, 1 << 63, 100 << 20])
def test_O50_an_announced_length_is_not_believed(abc, length):
    p, w = abc.join(), abc.join("watcher")
    p.socket.send_raw(bytes([0x81, 0xFF]) + struct.pack("!Q", length) + b"mask" + b"x" * 70000)
    code = p.closed()[0]
    assert code in (1009, 1002, 1006)
    agree(w)


# O-51: closing
@pytest.mark.parametrize("payload", [
    b"", struct.pack("!H", 1000), struct.pack("!H", 1001), b"\x03", struct.pack("!H", 999),
    struct.pack("!H", 1004), struct.pack("!H", 1005), struct.pack("!H", 1006), struct.pack("!H", 1015),
    struct.pack("!H", 1016), struct.pack("!H", 2999), struct.pack("!H", 3000), struct.pack("!H", 4999),
    struct.pack("!H", 5000), struct.pack("!H", 1000) + b"r" * 123,
    struct.pack("!H", 1000) + b"\xff\xfe"], ids=lambda b: b[:6].hex() or "empty")
def test_O51_every_way_a_client_may_close(abc, payload):
    w, p = abc.join("watcher"), abc.join()
    p.socket.send_raw(frames.frame(frames.CLOSE, payload))
    code, reason = p.closed(timeout=5)
    assert code not in (1015,) and len(reason.encode()) <= 123
    w.expect(type="peer.left", peer=p.me, timeout=10)
    fence(w)
    assert len(w.heard(type="peer.left")) == 1


def test_O51_a_message_after_the_close_frame_is_not_applied(abc):
    w, p = abc.join("watcher"), abc.join()
    p.socket.send_raw(frames.frame(frames.CLOSE, struct.pack("!H", 1000))
                      + frames.frame(frames.TEXT, encode(p.message(move(abc))))
                      + frames.frame(frames.CLOSE, struct.pack("!H", 1000)))
    p.closed()
    w.expect(type="peer.left")
    fence(w)
    assert abc.seen(w)["s"] == "ABCDE"


def test_O51_half_closed_without_a_close_frame(abc):
    w, p = abc.join("watcher"), abc.join()
    p.socket.socket.shutdown(socket.SHUT_WR)
    w.expect(type="peer.left", timeout=12)
    fence(w)
    assert len(w.heard(type="peer.left")) == 1


def test_ER5_answers_come_before_the_close_frame(abc):
    """Edits in the same segment as what closes the connection are answered first or not applied."""
    p, w = abc.join(), abc.join("watcher")
    p.send(*[p.message(move(abc, "ABCDE"[i % 5])) for i in range(20)])
    p.socket.close(1000)
    p.closed()
    fence(w)
    mine = [e for e in w.heard(type="commit") if e["client"] == p.client]
    again = p.again(resume=False)
    assert again.replica.welcome["lastSeq"] == len(mine)


def test_O54_several_messages_in_one_turn_while_others_are_busy(abc):
    busy = [abc.join(f"busy {i}") for i in range(5)]
    p = abc.join("many")
    drags = [(b, b.begin(abc["ABCDE"[i]])) for i, b in enumerate(busy)]
    for round_ in range(20):
        for b, drag in drags:
            b.target(drag, {"section": "t", "index": (round_ + drag) % 3}, t=f"{b.name} {round_}")
        p.send(*[p.message({"kind": "icon.add", "icon": {"id": new_id(), "red": 0, "green": 0, "blue": 0},
                            "to": {"section": "t", "at": "end"}}) for _ in range(5)])
        for b in busy:
            b.pump()
    p.answer(100)
    for b, _ in drags:
        p.expect(type="drag.target", t=f"{b.name} 19")
    agree(p, *busy)
    assert len(p.order["t"]) == 103


def test_FR4_frames_of_the_server_stay_under_1_MiB(layout):
    """A long label on 900 icons, then a client that was far behind: the Socket checks each frame."""
    board = layout({"s": [f"i{n}" for n in range(900)]})
    p, slow = board.join("writer"), board.join("slow", receive_buffer=2048)
    for n in range(900):
        p.edit({"kind": "icon.update", "icon": board[f"i{n}"], "set": {"label": "ü" * 100}},
               wait=False)
        p.pump()
    p.answer(900)
    agree(p, slow)
