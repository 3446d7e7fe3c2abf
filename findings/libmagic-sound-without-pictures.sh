#!/bin/sh
# libmagic takes WebM and MPEG-4 files that have sound alone for films.
#
# Package: file 5.44 (Debian's file, libmagic1 and libmagic-mgc 1:5.44-3).
# Input:   a WebM and an MPEG-4 file whose list of tracks has one track, of sound; a GPX file.
# Seen:    video/webm, video/mp4, and text/xml for GPX.
# Expected: audio/webm, audio/mp4, application/gpx+xml.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq file=1:5.44-3 libmagic1=1:5.44-3 libmagic-mgc=1:5.44-3
for package in *.deb; do dpkg -x "$package" root; done
python3 - <<'PYTHON'
def element(name, content):
    return bytes.fromhex(name) + bytes([0x80 | len(content)]) + content

head = element("1A45DFA3", element("4282", b"webm"))
track = element("AE", element("D7", b"\1") + element("83", b"\2") + element("86", b"A_OPUS"))
open("sound.webm", "wb").write(head + bytes.fromhex("18538067") + b"\1" + b"\xff" * 7 + element("1654AE6B", track))

def box(name, content):
    return (len(content) + 8).to_bytes(4, "big") + name + content

handler = box(b"hdlr", bytes(8) + b"soun" + bytes(13))
open("sound.mp4", "wb").write(
    box(b"ftyp", b"isom" + bytes(4) + b"isommp41") + box(b"moov", box(b"trak", box(b"mdia", handler))))
open("track.gpx", "w").write('<?xml version="1.0"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"></gpx>\n')
PYTHON
libraries=$(dirname "$(find root -name libmagic.so.1 | head -1)")
seen=$(LD_LIBRARY_PATH=$libraries root/usr/bin/file -m root/usr/lib/file/magic.mgc --brief --mime-type sound.webm sound.mp4 track.gpx | tr '\n' ' ')
echo "$seen"
[ "$seen" = "video/webm video/mp4 text/xml " ] || { echo "the behaviour has changed"; exit 1; }
