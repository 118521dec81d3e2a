"""WebSocket frames by hand (RFC 6455), so that a test can send what no library would send."""
import os
import struct

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def masked(payload: bytes, mask: bytes) -> bytes:
    if not payload:
        return payload
    length = len(payload)
    key = (mask * (length // 4 + 1))[:length]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(length, "big")


def frame(opcode: int, payload: bytes = b"", fin: bool = True, rsv: int = 0) -> bytes:
    """One client frame, masked."""
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    length = len(payload)
    if length < 126:
        head += bytes([0x80 | length])
    elif length < 65536:
        head += bytes([0x80 | 126]) + struct.pack("!H", length)
    else:
        head += bytes([0x80 | 127]) + struct.pack("!Q", length)
    mask = os.urandom(4)
    return head + mask + masked(payload, mask)


def fragments(payload: bytes, size: int, between=None) -> list:
    """A text message as many frames of `size` bytes; `between(i)` may give bytes to put after the i-th."""
    parts = [payload[i:i + size] for i in range(0, len(payload), size)] or [b""]
    out = []
    for i, part in enumerate(parts):
        out.append(frame(TEXT if i == 0 else CONTINUATION, part, fin=i == len(parts) - 1))
        if between and between(i):
            out.append(between(i))
    return out


class Parser:
    """Server bytes in, `(opcode, payload)` of whole messages and control frames out."""

    def __init__(self):
        self.data = bytearray()
        self.message = None
        self.opcode = None

    def feed(self, data: bytes):
        self.data += data
        out, at, buffer = [], 0, self.data
        while len(buffer) - at >= 2:
            first, second = buffer[at], buffer[at + 1]
            assert not first & 0x70, "reserved bit set by the server"
            assert not second & 0x80, "the server masked a frame"
            length, head = second & 0x7F, 2
            if length == 126:
                if len(buffer) - at < 4:
                    break
                length, head = struct.unpack_from("!H", buffer, at + 2)[0], 4
            elif length == 127:
                if len(buffer) - at < 10:
                    break
                length, head = struct.unpack_from("!Q", buffer, at + 2)[0], 10
            if len(buffer) - at < head + length:
                break
            payload = bytes(buffer[at + head:at + head + length])
            at += head + length
            opcode, fin = first & 0x0F, first & 0x80
            if opcode >= 8:
                assert fin and length < 126, "control frame of the server is fragmented or too long"
                out.append((opcode, payload))
                continue
            if opcode:
                assert self.message is None, "new message inside a fragmented one"
                self.message, self.opcode = payload, opcode
            else:
                assert self.message is not None, "continuation of nothing"
                self.message += payload
            if fin:
                out.append((self.opcode, self.message))
                self.message = None
        del buffer[:at]
        return out
