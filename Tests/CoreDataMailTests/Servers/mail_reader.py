#!/usr/bin/env python3
"""Takes a message apart with Python's email package and prints what it has as JSON: an independent reader for the tests."""
import email
import email.policy
import email.utils
import hashlib
import json
import sys

data = open(sys.argv[1], "rb").read()
message = email.message_from_bytes(data, policy=email.policy.default)


def part(one):
    content = one.get_payload(decode=True) if not one.is_multipart() else None
    return {
        "type": one.get_content_type(),
        "charset": one.get_content_charset(),
        "encoding": one.get("Content-Transfer-Encoding"),
        "disposition": one.get_content_disposition(),
        "name": one.get_filename(),
        "identifier": one.get("Content-ID"),
        "size": None if content is None else len(content),
        "digest": None if content is None else hashlib.sha256(content).hexdigest(),
        "text": one.get_content() if one.get_content_maintype() == "text" and len(content) < 100_000 else None,
    }


def addresses(name):
    field = message[name]
    return [[a.display_name, a.addr_spec] for a in field.addresses] if field is not None else []


json.dump({
    "fields": message.keys(),
    "subject": message["Subject"],
    "from": addresses("From"), "to": addresses("To"), "cc": addresses("Cc"), "replyTo": addresses("Reply-To"),
    "identifier": message["Message-ID"],
    "time": message["Date"].datetime.timestamp() if message["Date"] else None,
    "parts": [part(one) for one in message.walk()],
    "defects": [str(d) for one in message.walk() for d in one.defects],
    "longestLine": max(len(line) for line in data.split(b"\r\n")),
    "bareBreaks": data.replace(b"\r\n", b"").count(b"\n") + data.replace(b"\r\n", b"").count(b"\r"),
    "highBytes": sum(byte > 127 for byte in data[:5_000_000]),
}, sys.stdout)
