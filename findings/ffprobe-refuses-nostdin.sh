#!/bin/sh
# ffprobe ends with an error for the option -nostdin, which ffmpeg needs in loops, and says so of another option.
#
# Package: ffmpeg 7:5.1.9-0+deb12u1 (Debian 12).
# Input:   ffprobe -nostdin -v error FILE
# Seen:    "Failed to set value '-v' for option 'nostdin': Option not found", status 1.
# Expected: the option is known to both programs, or the message names it alone.
set -eu
command -v ffprobe > /dev/null || { echo "'ffprobe' is missing: apt-get install ffmpeg"; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
ffmpeg -nostdin -v error -f lavfi -i testsrc=size=16x16:duration=1 film.mp4
status=0
seen=$(ffprobe -nostdin -v error film.mp4 2>&1 < /dev/null) || status=$?
echo "$seen" | tail -1
echo "status $status"
[ "$status" = 1 ] && echo "$seen" | grep -q "for option 'nostdin': Option not found" || { echo "the behaviour has changed"; exit 1; }
