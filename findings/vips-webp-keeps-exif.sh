#!/bin/sh
# libvips keeps EXIF, with the place where a picture was taken, in WebP that is saved with "strip".
#
# Package: libvips-tools 8.14.1-3+deb12u3, libimage-exiftool-perl 12.57+dfsg-1 (Debian 12).
# Input:   a JPEG with a camera and a place in EXIF, made smaller by `vips thumbnail`, saved with the option "strip".
# Seen:    the JPEG and the PNG have no EXIF; the WebP has all of it, the place too.
# Expected: no EXIF in any of them.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
# The libraries that they need are those of the system's libvips-tools.
apt-get download -qq libvips-tools=8.14.1-3+deb12u3 libvips42=8.14.1-3+deb12u3 libimage-exiftool-perl=12.57+dfsg-1
for package in *.deb; do dpkg -x "$package" root; done
export PATH="$folder/root/usr/bin:$PATH" LD_LIBRARY_PATH="$folder/root/usr/lib/$(uname -m)-linux-gnu" PERL5LIB="$folder/root/usr/share/perl5"
vips black in.jpg 200 100 --bands 3
exiftool -q -overwrite_original -Make=Canon -GPSLatitude=48.1 -GPSLatitudeRef=N -GPSLongitude=11.5 -GPSLongitudeRef=E in.jpg
seen=""
for format in jpg png webp; do
    vips thumbnail in.jpg "out.$format[strip]" 100
    seen="$seen$format $(exiftool -a -G1 -s "out.$format" 2> /dev/null | grep -cE '^\[GPS\] +GPSL' || true) "
done
echo "fields of the place: $seen"
[ "$seen" = "jpg 0 png 0 webp 4 " ] || { echo "the behaviour has changed"; exit 1; }
