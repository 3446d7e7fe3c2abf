#!/usr/bin/env python3
"""A second reader of the format of Docs/SyncFormat.md, written from that page: prints what is in frames, a line each.

  sync_reader.py FILE          FILE has a frame a line, in hexadecimal digits
  sync_reader.py --cut FILE    FILE has a large value a line: prints the size and the digest of each of its chunks
"""
import hashlib
import sys
import uuid
import zlib


class Reader:
    def __init__(self, data, peers=(), digested=None):
        self.data, self.at, self.peers = data, 0, list(peers)
        # What digests are made of: the bytes that were read, with peers by their identities and operations without their lengths.
        self.digested = bytearray() if digested is None else digested

    def raw(self, count):
        if count > len(self.data) - self.at:
            raise ValueError("truncated")
        self.at += count
        self.digested += self.data[self.at - count:self.at]
        return self.data[self.at - count:self.at]

    def byte(self):
        return self.raw(1)[0]

    def fixed(self, count):
        return int.from_bytes(self.raw(count), "little")

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                if value >= 1 << 64 or byte == 0 and shift:
                    raise ValueError("number")
                return value
            shift += 7

    def signed(self):
        value = self.number()
        return value >> 1 if value & 1 == 0 else -(value >> 1) - 1

    def content(self):
        return self.raw(self.number())

    def peer(self):
        before = len(self.digested)
        peer = self.peers[self.number()]
        self.digested[before:] = peer.to_bytes(8, "little")
        return "%016x" % peer

    def transaction_id(self):
        peer, sequence = self.peer(), self.number()
        if not 0 < sequence < 1 << 48:
            raise ValueError("sequence")
        return "%s:%d" % (peer, sequence)

    def object(self):
        creation = self.transaction_id()
        return "%s.%d" % (creation, self.number())

    def name(self):
        return "%08x" % self.fixed(4)

    def vector(self):
        return "[" + ",".join(self.transaction_id() for _ in range(self.number())) + "]"

    def value(self):
        tag = self.byte()
        if tag in (0, 1, 2):
            return ("null", "false", "true")[tag]
        if tag == 3:
            return "int %d" % self.signed()
        if tag == 4:
            return "float %08x" % self.fixed(4)
        if tag == 5:
            return "double %016x" % self.fixed(8)
        if tag == 6:
            return "decimal " + self.content().decode("ascii")
        if tag == 7:
            return "string " + checked_text(self.content())
        if tag == 8:
            return "data " + self.content().hex()
        if tag == 9:
            return "date %016x" % self.fixed(8)
        if tag == 10:
            return "uuid " + str(uuid.UUID(bytes=self.raw(16)))
        if tag == 11:
            return "uri " + checked_text(self.content())
        if tag == 12:
            return "[" + ", ".join(self.value() for _ in range(self.number())) + "]"
        if tag == 13:
            text = "large %d" % self.byte()
            for _ in range(self.number()):
                text += " " + self.raw(32).hex()
                text += "/%d" % self.number()
            return text
        if tag >= 16:
            return "unknown %d %s" % (tag, self.content().hex())
        raise ValueError("value tag %d" % tag)

    def position(self):
        steps = []
        for _ in range(self.number()):
            number = self.number()
            offset = number >> 2 if number & 2 == 0 else -(number >> 2) - 1
            run = self.transaction_id()
            steps.append("%s%s/%d/%d" % ("L" if number & 1 else "R", run, self.number(), offset))
        return ";".join(steps)

    def operation(self):
        tag, before = self.byte(), len(self.digested)
        content = self.content()
        del self.digested[before:]
        inner = Reader(content, self.peers, self.digested)
        text = inner.operation_content(tag)
        if inner.at != len(inner.data):
            raise ValueError("bytes after an operation")
        return text

    def operation_content(self, tag):
        if tag == 1:
            return "create %d %s" % (self.number(), self.name())
        if tag in (2, 4, 5, 6):
            names = {2: "set", 4: "add", 5: "include", 6: "exclude"}
            return "%s %s %s %s" % (names[tag], self.object(), self.name(), self.value())
        if tag == 3:
            return "clear %s %s" % (self.object(), self.name())
        if tag == 7:
            return "delete " + self.object()
        if tag == 8:
            return "unite %s %s" % (self.object(), self.object())
        if tag == 9:
            text = "link %s %s %s" % (self.name(), self.object(), self.object())
            flags = self.byte()
            source = self.position() if flags & 4 else "-"
            target = self.position() if flags & 8 else "-"
            return "%s %d%d %s %s" % (text, flags & 1, flags >> 1 & 1, source, target)
        if tag == 10:
            return "unlink %s %s %s" % (self.name(), self.object(), self.object())
        if tag == 11:
            return "admit %s %d" % (self.peer(), self.byte())
        if tag == 12:
            return "retire " + self.peer()
        if tag == 13:
            text = "count %s %s %s" % (self.object(), self.name(), self.value())
            return text + "".join(" %s %s" % (self.peer(), self.value()) for _ in range(self.number()))
        return "unknown %d %s" % (tag, self.raw(len(self.data) - self.at).hex())


def checked_text(data):
    data.decode("utf-8")
    return data.hex()


def number_bytes(value):
    data = bytearray()
    while value >= 0x80:
        data.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(data) + bytes([value])


def transactions(reader):
    milliseconds, sequences, digests = 0, {}, {}
    for _ in range(reader.number()):
        flags, author = reader.byte(), reader.peer()
        sequence = sequences.get(author, 0) + reader.signed()
        known = digests.get(author) if sequence == sequences.get(author, 0) + 1 else None
        sequences[author] = sequence
        milliseconds += reader.signed()
        counter = reader.number() if flags & 4 else 0
        previous = reader.fixed(4) if flags & 16 else 0 if sequence == 1 else known
        reader.digested[:] = previous.to_bytes(4, "little") + bytes.fromhex(author)[::-1] + number_bytes(sequence)
        reader.digested += (milliseconds << 16 | counter).to_bytes(8, "little")
        generation = reader.byte() if flags & 2 else 0
        basis = [reader.transaction_id() for _ in range(reader.number())] if flags & 8 else []
        carried = " carries %s %s" % (reader.transaction_id(), reader.vector()) if flags & 1 else ""
        operations = [reader.operation() for _ in range(reader.number())]
        digests[author] = zlib.crc32(reader.digested)
        print("transaction %s:%d %012x-%04x [%s]%s %d %08x %08x" % (
            author, sequence, milliseconds, counter, ",".join(basis), carried, generation, previous, digests[author]))
        for operation in operations:
            print("  " + operation)


def record(reader):
    """Reads over an object of a baseline."""
    reader.name(), reader.number()
    for _ in range(reader.number()):
        reader.name()
        for _ in range(reader.number()):
            reader.transaction_id(), reader.number(), reader.value()
            for _ in range(reader.number()):
                reader.peer(), reader.value()
    for _ in range(reader.number()):
        reader.name()
        for _ in range(reader.number()):
            reader.transaction_id(), reader.value()
    reader.vector()
    for _ in range(reader.number()):
        reader.transaction_id(), reader.number(), reader.vector()
    for _ in range(reader.number()):
        reader.object()


def baseline(reader):
    sender, part, count, applied = reader.peer(), reader.number(), reader.number(), reader.vector()
    for _ in range(reader.number()):
        reader.peer(), reader.vector()
    for _ in range(reader.number()):
        reader.transaction_id(), reader.fixed(4)
    for _ in range(reader.number()):
        reader.number(), reader.fixed(4)
    for _ in range(reader.number()):
        reader.peer(), reader.byte(), reader.transaction_id()
    for _ in range(reader.number()):
        reader.peer(), reader.transaction_id()
    objects = reader.number()
    for _ in range(objects):
        reader.object()
        record(reader)
    links = reader.number()
    for _ in range(links):
        reader.name(), reader.object(), reader.object()
        for _ in range(reader.number()):
            reader.transaction_id(), reader.number()
            flags = reader.byte()
            if flags & 1:
                reader.position()
            if flags & 2:
                reader.position()
    print("baseline %s %d/%d %s %d %d" % (sender, part, count, applied, objects, links))


def frame(data):
    if data[:4] != b"OCSY" or data[4] != 1:
        raise ValueError("no frame of this version")
    if zlib.crc32(data[:-4]) != int.from_bytes(data[-4:], "little"):
        raise ValueError("checksum")
    reader = Reader(data[6:-4])
    reader.peers = [reader.fixed(8) for _ in range(reader.number())]
    kind = data[5]
    if kind == 1:
        transactions(reader)
    elif kind == 2:
        sender, flags = reader.peer(), reader.byte()
        former = " former " + reader.peer() if flags & 2 else ""
        applied = reader.vector()
        count = len(applied.split(",")) if applied != "[]" else 0
        digests = ",".join("%08x" % reader.fixed(4) for _ in range(count))
        print("greeting %s%s %s %s %s %d" % (sender, former, applied, digests, reader.vector(), flags & 1))
    elif kind == 3:
        baseline(reader)
    elif kind == 4:
        count = reader.number()
        reader.raw(32 * count)
        print("wanted %d" % count)
    elif kind == 5:
        print("chunk %d" % len(reader.content()))
    elif kind == 6:
        print("retired %s %s" % (reader.peer(), reader.peer()))
    else:
        raise ValueError("kind %d" % kind)
    if reader.at != len(reader.data):
        raise ValueError("bytes after the content")


MASK = (1 << 64) - 1


def gear(byte):
    value = (byte + 1) * 0x9E3779B97F4A7C15 & MASK
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9 & MASK
    value = (value ^ value >> 27) * 0x94D049BB133111EB & MASK
    return value ^ value >> 31


def cut(data):
    gears, start = [gear(byte) for byte in range(256)], 0
    while start < len(data):
        end, hashed = min(start + 262144, len(data)), 0
        for index in range(start + 32768 - 64, end):
            hashed = (hashed << 1) + gears[data[index]] & MASK
            if index + 1 - start >= 32768 and hashed >> 48 == 0:
                end = index + 1
                break
        print("%d %s" % (end - start, hashlib.sha256(data[start:end]).hexdigest()))
        start = end


for line in open(sys.argv[-1], encoding="ascii"):
    (cut if sys.argv[1] == "--cut" else frame)(bytes.fromhex(line))
