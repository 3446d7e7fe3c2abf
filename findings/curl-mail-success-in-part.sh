#!/bin/sh
# curl reports success for mail that was sent without the login it was given, and for mail of which a recipient was refused.
#
# Package: curl 7.88.1 (Debian's curl and libcurl4 7.88.1-10+deb12u15).
# Input:   --user to a server that offers no AUTH; --mail-rcpt-allowfails with two recipients, the first of which gets 550.
# Seen:    exit status 0 both times: the message goes out without a login; the refused recipient is in no result. With STARTTLS offered and
#          not asked for, the message goes in plain text.
# Expected: an error where a given login cannot be done; the number of refused recipients somewhere.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq curl=7.88.1-10+deb12u15 libcurl4=7.88.1-10+deb12u15
for package in *.deb; do dpkg -x "$package" root; done
curl=$(find "$folder/root" -name curl -type f -path '*/bin/*')
libraries=$(dirname "$(find "$folder/root" -name 'libcurl.so.4' | head -1)")
cat >server.py <<'PYTHON'
import socket, sys, threading
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen(5)
print(listener.getsockname()[1], flush=True)
while True:
    connection, _ = listener.accept()
    reader = connection.makefile("rb")
    said = []
    connection.sendall(b"220 here\r\n")
    while line := reader.readline():
        said.append(line.split(b":")[0].split()[0].decode())
        word = line[:4].upper()
        if word == b"EHLO":
            connection.sendall(b"250-here\r\n250 STARTTLS\r\n")
        elif word == b"RCPT" and b"refused" in line:
            connection.sendall(b"550 no such mailbox\r\n")
        elif word == b"DATA":
            connection.sendall(b"354 go\r\n")
            while reader.readline() != b".\r\n":
                pass
            connection.sendall(b"250 taken\r\n")
        elif word == b"QUIT":
            connection.sendall(b"221 bye\r\n")
            break
        else:
            connection.sendall(b"250 ok\r\n")
    connection.close()
    print(" ".join(said), flush=True)
PYTHON
/usr/bin/python3 server.py >said & server=$!
trap 'kill "$server"; rm -rf "$folder"' EXIT
until [ -s said ]; do sleep 0.1; done
port=$(head -1 said)
printf 'Subject: x\r\n\r\ny\r\n' >message
send() { LD_LIBRARY_PATH=$libraries "$curl" -sS "smtp://127.0.0.1:$port" --mail-from a@b.c -T message "$@"; }
status=0
send --user anne:secret --mail-rcpt bob@example.com || status=$?
echo "with a login that is not offered: exit $status"
[ "$status" = 0 ] || { echo "the behaviour has changed"; exit 1; }
send --mail-rcpt-allowfails --mail-rcpt refused@example.com --mail-rcpt bob@example.com || status=$?
echo "with one of two recipients refused: exit $status"
[ "$status" = 0 ] || { echo "the behaviour has changed"; exit 1; }
sleep 0.5
cat said
! grep -q AUTH said
! grep -q STARTTLS said
