#!/bin/sh
# ZXingWriter takes a text that is the name of an option for that option, and stops with an uncaught exception.
#
# Package: zxing-cpp-tools 1.4.0 (Debian's 1.4.0-3).
# Input:   the text "-margin" as a QR code.
# Seen:    std::invalid_argument from stoi, signal 6.
# Expected: a code, or a message and a status.
set -u
command -v ZXingWriter >/dev/null || { echo "install zxing-cpp-tools"; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ZXingWriter -encoding UTF-8 QRCode -margin "$folder/code.svg" 2>/dev/null
seen=$?
echo "status $seen"
[ "$seen" = 134 ] || { echo "the behaviour has changed"; exit 1; }
