#!/bin/sh
# The command 'vips flatten' takes the last of three bands for transparency.
#
# Package: libvips-tools 8.14.1 (Debian's 8.14.1-3+deb12u3).
# Input:   a grey PNG with three bands, without transparency.
# Seen:    two bands, which are grey and no longer those of the picture.
# Expected: the picture as it was.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# The libraries that they need are those of the system's libvips-tools.
apt-get download -qq libvips-tools=8.14.1-3+deb12u3 libvips42=8.14.1-3+deb12u3
for package in *.deb; do dpkg -x "$package" root; done
export PATH="$folder/root/usr/bin:$PATH" LD_LIBRARY_PATH="$folder/root/usr/lib/$(uname -m)-linux-gnu"
vips black black.png 16 16 --bands 3
vips linear black.png colours.png 1 40 --uchar
vips flatten colours.png flat.png --background 255
seen="$(vipsheader -f bands colours.png) $(vipsheader -f bands flat.png) $(vips max flat.png)"
echo "$seen"
[ "${seen#3 2 }" != "$seen" ] || { echo "the behaviour has changed"; exit 1; }
