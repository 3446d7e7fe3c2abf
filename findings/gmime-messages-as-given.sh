#!/bin/sh
# GMime writes a message as it is given: without Date and Message-ID, with Bcc, with a line break in the subject, with lines of any length.
#
# Package: GMime 3.2.13 (Debian's libgmime-3.0-0 3.2.13+dfsg-2), with the libraries that it needs.
# Input:   a message with a blind copy, a subject with CR LF, and a plain ASCII paragraph of 2,500 bytes; then an attachment in base64.
# Seen:    no field Date, no Message-ID, a field Bcc; the line break comes back when the encoded subject is decoded; a line of 2,500 bytes,
#          encoding 7bit; g_mime_object_write_to_stream returns how many bytes the attachment has, not how many were written.
# Expected: RFC 5322 demands Date, and lines of at most 998 bytes; RFC 5322, 3.6.3 lets Bcc out; the documentation of the return value
#          says "the number of bytes written".
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libgmime-3.0-0=3.2.13+dfsg-2 libgpgme11 libassuan0 libgpg-error0 libidn2-0 libunistring2 libglib2.0-0 libffi8 libpcre2-8-0
for package in *.deb; do dpkg -x "$package" root; done
libraries=$folder/root/usr/lib/$(gcc -print-multiarch 2>/dev/null || dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo x86_64-linux-gnu)
LD_LIBRARY_PATH=$libraries:$folder/root/lib/${libraries##*/} /usr/bin/python3 - <<'PYTHON'
import email
import email.header
from ctypes import CDLL, c_char_p, c_int, c_size_t, c_ssize_t, c_void_p
import os

gmime = CDLL("libgmime-3.0.so.0")


def call(name, result, *arguments):
    function = getattr(gmime, name)
    function.restype = result
    function.argtypes = [c_void_p if isinstance(a, (int, type(None))) and abs(a or 0) > 100_000 or a is None
                         else c_int if isinstance(a, int) else c_char_p for a in arguments]
    return function(*arguments)


def part(kind, subtype, content, encoding):
    stream = gmime.g_mime_stream_mem_new_with_buffer
    stream.restype, stream.argtypes = c_void_p, [c_char_p, c_size_t]
    wrapper = call("g_mime_data_wrapper_new_with_stream", c_void_p, stream(content, len(content)), 0)
    new = call("g_mime_part_new_with_type", c_void_p, kind, subtype)
    call("g_mime_part_set_content", None, new, wrapper)
    call("g_mime_part_set_content_encoding", None, new, encoding)
    return new


def written(content):
    message = call("g_mime_message_new", c_void_p, 1)
    call("g_mime_message_add_mailbox", None, message, 3, None, b"bob@example.com")
    call("g_mime_message_add_mailbox", None, message, 5, None, b"hidden@example.com")
    call("g_mime_message_set_subject", None, message, "Grüße\r\nX-Added: yes".encode(), b"utf-8")
    call("g_mime_message_set_mime_part", None, message, content)
    path = "message.eml"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
    stream = call("g_mime_stream_fs_new", c_void_p, descriptor)
    count = call("g_mime_object_write_to_stream", c_ssize_t, message, None, stream)
    call("g_mime_stream_flush", c_int, stream)
    return count, open(path, "rb").read()


gmime.g_mime_init()
default, seven_bit, base64 = 0, 1, 4
_, data = written(part(b"text", b"plain", b"word " * 500 + b"\n", default))
message = email.message_from_bytes(data)
subject = str(email.header.make_header(email.header.decode_header(message["Subject"])))
longest = max(map(len, data.split(b"\n")))
print("fields", message.keys(), "subject", repr(subject), "longest line", longest)
assert "Date" not in message and "Message-ID" not in message and "Message-Id" not in message, "the behaviour has changed"
assert "Bcc" in message and "\n" in subject and longest >= 2_500, "the behaviour has changed"
count, data = written(part(b"image", b"png", bytes(range(256)) * 400, base64))
print("returned", count, "written", len(data))
assert count < len(data) - 20_000, "the behaviour has changed"
PYTHON
