#!/bin/sh
# ffprobe ends with an error for the option -nostdin, which ffmpeg needs in loops, and says so of another option.
#
# Package: ffmpeg 7:5.1.9-0+deb12u1 (Debian 12).
# Input:   ffprobe -nostdin -v error FILE
# Seen:    "Failed to set value '-v' for option 'nostdin': Option not found", status 1.
# Expected: the option is known to both programs, or the message names it alone.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# The libraries that they need are those of the system's ffmpeg.
version=7:5.1.9-0+deb12u1
for package in ffmpeg libavcodec59 libavdevice59 libavfilter8 libavformat59 libavutil57 libpostproc56 libswresample4 libswscale6; do
    apt-get download -qq "$package=$version"
done
for package in *.deb; do dpkg -x "$package" root; done
export PATH="$folder/root/usr/bin:$PATH" LD_LIBRARY_PATH="$folder/root/usr/lib/$(uname -m)-linux-gnu"
ffmpeg -nostdin -v error -f lavfi -i testsrc=size=16x16:duration=1 film.mp4
status=0
seen=$(ffprobe -nostdin -v error film.mp4 2>&1 < /dev/null) || status=$?
echo "$seen" | tail -1
echo "status $status"
[ "$status" = 1 ] && echo "$seen" | grep -q "for option 'nostdin': Option not found" || { echo "the behaviour has changed"; exit 1; }
