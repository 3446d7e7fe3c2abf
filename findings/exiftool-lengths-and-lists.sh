#!/bin/sh
# exiftool estimates the length of MP3 and Ogg from a bit rate, and joins several artists of MP3.
#
# Packages: libimage-exiftool-perl 12.57, ffmpeg 7:5.1.9-0+deb12u1 (Debian 12).
# Input:   two seconds of a tone as MP3 with an Info header, as Ogg Vorbis, and an MP3 whose artist frame has two texts.
# Seen:    more than 2.2 s and less than 1 s; "AAA/BBB", as one artist of that name would be given.
# Expected: 2 s; two artists. With -n nothing says that a length is approximate.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# The libraries that they need are those of the system's ffmpeg.
version=7:5.1.9-0+deb12u1
for package in ffmpeg libavcodec59 libavdevice59 libavfilter8 libavformat59 libavutil57 libpostproc56 libswresample4 libswscale6; do
    apt-get download -qq "$package=$version"
done
apt-get download -qq libimage-exiftool-perl=12.57+dfsg-1
for package in *.deb; do dpkg -x "$package" root; done
export PATH="$folder/root/usr/bin:$PATH" LD_LIBRARY_PATH="$folder/root/usr/lib/$(uname -m)-linux-gnu"
export PERL5LIB="$folder/root/usr/share/perl5"
for form in mp3 ogg; do
    ffmpeg -nostdin -loglevel error -f lavfi -i sine=440:d=2 -metadata artist='AAA#BBB' -metadata title=a "tone.$form"
done
python3 - <<'PYTHON'
data = open("tone.mp3", "rb").read()
open("two.mp3", "wb").write(data.replace(b"AAA#BBB", b"AAA\0BBB"))
PYTHON
for form in mp3 ogg; do
    echo "$form: $(exiftool -s3 -Duration "tone.$form"), as a number $(exiftool -n -s3 -Duration "tone.$form")"
done
echo "artists: $(exiftool -s3 -Artist two.mp3)"
awk "BEGIN { exit !($(exiftool -n -s3 -Duration tone.mp3) > 2.2 && $(exiftool -n -s3 -Duration tone.ogg) < 1) }"
[ "$(exiftool -s3 -Artist two.mp3)" = AAA/BBB ]
