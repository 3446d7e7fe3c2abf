#!/usr/bin/env python3
"""A logind that has inhibitors and nothing else, on the bus at the address given: it prints 'held WHAT WHO WHY MODE' for each that is
asked for, and 'released' when its owner closes it. The bytes are those of the D-Bus Specification, with no library."""
import array
import os
import select
import socket
import struct
import sys


def pad(data, size):
    return data + bytes(-len(data) % size)


def text(value):
    value = value.encode()
    return struct.pack("<I", len(value)) + value + b"\0"


def message(kind, serial, fields, body=b"", signature="", handles=0):
    """A message of D-Bus; fields are (code, type, value)."""
    if signature:
        fields = fields + [(8, "g", signature)]
    if handles:
        fields = fields + [(9, "u", handles)]
    data = b""
    for code, sort, value in fields:
        data = pad(data, 8) + bytes([code, 1]) + sort.encode() + b"\0"
        if sort == "g":
            data += bytes([len(value)]) + value.encode() + b"\0"
        else:
            data = pad(data, 4) + (struct.pack("<I", value) if sort == "u" else text(value))
    head = struct.pack("<BBBBIII", ord("l"), kind, 0, 1, len(body), serial, len(data))
    return pad(head + data, 8) + body


def read_fields(data):
    """The header fields of a message: code to value, of those that are texts or numbers."""
    size, at, found = struct.unpack_from("<I", data, 12)[0], 16, {}
    while at < 16 + size:
        at += -at % 8
        code, sort = data[at], chr(data[at + 2])
        at += 4
        if sort == "g":
            found[code] = data[at + 1:at + 1 + data[at]].decode()
            at += data[at] + 2
        else:
            at += -at % 4
            number = struct.unpack_from("<I", data, at)[0]
            at += 4
            found[code] = number
            if sort != "u":
                found[code] = data[at:at + number].decode()
                at += number + 1
    return found, (16 + size + 7) // 8 * 8


def texts(body, count):
    at, found = 0, []
    for _ in range(count):
        at += -at % 4
        size = struct.unpack_from("<I", body, at)[0]
        found.append(body[at + 4:at + 4 + size].decode())
        at += 5 + size
    return found


def say(*words):
    print(*words, flush=True)


bus = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
bus.connect(sys.argv[1].removeprefix("unix:path="))
bus.sendall(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode() + b"\r\n")
assert bus.recv(1000).startswith(b"OK")
bus.sendall(b"NEGOTIATE_UNIX_FD\r\n")
assert bus.recv(1000).startswith(b"AGREE")
bus.sendall(b"BEGIN\r\n")
DBUS = [(1, "o", "/org/freedesktop/DBus"), (2, "s", "org.freedesktop.DBus"), (6, "s", "org.freedesktop.DBus")]
bus.sendall(message(1, 1, DBUS + [(3, "s", "Hello")]))
bus.sendall(message(1, 2, DBUS + [(3, "s", "RequestName")], pad(text("org.freedesktop.login1"), 4) + struct.pack("<I", 4), "su"))
serial, buffered, held = 2, b"", []
while True:
    for ready in select.select([bus] + held, [], [])[0]:
        if ready != bus:
            os.read(ready, 1)
            held.remove(ready)
            os.close(ready)
            say("released")
            continue
        more = bus.recv(1 << 16)
        if not more:
            sys.exit()
        buffered += more
        while len(buffered) >= 16:
            fields, start = read_fields(buffered) if len(buffered) >= 16 + struct.unpack_from("<I", buffered, 12)[0] else ({}, 1 << 30)
            size, number = struct.unpack_from("<I", buffered, 4)[0], struct.unpack_from("<I", buffered, 8)[0]
            if len(buffered) < start + size:
                break
            kind, body, buffered = buffered[1], buffered[start:start + size], buffered[start + size:]
            if kind == 2 and fields.get(5) == 2:
                say("ready")
            if kind != 1 or fields.get(3) != "Inhibit":
                continue
            serial += 1
            ours, theirs = os.pipe()
            reply = message(2, serial, [(5, "u", number), (6, "s", fields[7])], struct.pack("<I", 0), "h", 1)
            bus.sendmsg([reply], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [theirs]))])
            os.close(theirs)
            held.append(ours)
            say("held", *texts(body, 4))
