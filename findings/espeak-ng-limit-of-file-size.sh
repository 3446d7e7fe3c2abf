#!/bin/sh
# A program that only retrieves samples from libespeak-ng dies by a limit of the size of files, though it writes none.
#
# Package: espeak-ng 1.51 (Debian's 1.51+dfsg-10+deb12u2), with its player of sound pcaudio over PulseAudio.
# Input:   'espeak-ng --voices' with at most 16 MiB for a file.
# Seen:    signal 25 (SIGXFSZ): PulseAudio's client makes a file of 64 MiB in memory at the start.
# Expected: the list of voices.
set -u
command -v espeak-ng >/dev/null && command -v prlimit >/dev/null || { echo "install espeak-ng and util-linux"; exit 2; }
prlimit --fsize=16777216 --core=0 -- espeak-ng --voices >/dev/null 2>&1
small=$?
prlimit --fsize=134217728 --core=0 -- espeak-ng --voices >/dev/null 2>&1
large=$?
echo "at most 16 MiB: status $small; at most 128 MiB: status $large"
[ "$small" = 153 ] && [ "$large" = 0 ] || { echo "the behaviour has changed"; exit 1; }
