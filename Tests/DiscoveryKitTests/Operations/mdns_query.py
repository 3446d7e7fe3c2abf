#!/usr/bin/env python3
"""Asks a multicast DNS responder of this network namespace for a TXT record, by the bytes of RFC 1035, with no library:
'mdns_query.py NAME TYPE' prints each entry of the record of NAME.TYPE.local in the order of the wire."""
import socket
import struct
import sys
import time


def label(text):
    text = text.encode()
    return bytes([len(text)]) + text


def skip_name(data, at):
    while data[at]:
        if data[at] >= 0xC0:
            return at + 2
        at += 1 + data[at]
    return at + 1


name = label(sys.argv[1]) + b"".join(label(part) for part in sys.argv[2].split(".")) + label("local") + b"\0"
query = struct.pack(">HHHHHH", 7, 0, 1, 0, 0, 0) + name + struct.pack(">HH", 16, 1)
asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
asking.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton("127.0.0.1"))
asking.bind(("127.0.0.1", 0))
asking.settimeout(1)
end = time.monotonic() + 10
while time.monotonic() < end:
    asking.sendto(query, ("224.0.0.251", 5353))
    try:
        data = asking.recv(9000)
    except TimeoutError:
        continue
    questions, answers = struct.unpack_from(">HH", data, 4)
    at = 12
    for _ in range(questions):
        at = skip_name(data, at) + 4
    for _ in range(answers):
        at = skip_name(data, at)
        kind, _, _, size = struct.unpack_from(">HHIH", data, at)
        at += 10
        if kind == 16:
            entry = at
            while entry < at + size:
                print(data[entry + 1:entry + 1 + data[entry]].decode())
                entry += 1 + data[entry]
            sys.exit()
        at += size
sys.exit("no answer")
