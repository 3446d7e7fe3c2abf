#!/bin/sh
# libvips keeps EXIF, with the place where a picture was taken, in WebP that is saved with "strip".
#
# Package: libvips-tools 8.14.1-3+deb12u2, libimage-exiftool-perl 12.57+dfsg-1 (Debian 12).
# Input:   a JPEG with a camera and a place in EXIF, made smaller by `vips thumbnail`, saved with the option "strip".
# Seen:    the JPEG and the PNG have no EXIF; the WebP has all of it, the place too.
# Expected: no EXIF in any of them.
set -eu
for program in vips exiftool; do
    command -v "$program" > /dev/null || { echo "'$program' is missing: apt-get install libvips-tools libimage-exiftool-perl"; exit 1; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
vips black in.jpg 200 100 --bands 3
exiftool -q -overwrite_original -Make=Canon -GPSLatitude=48.1 -GPSLatitudeRef=N -GPSLongitude=11.5 -GPSLongitudeRef=E in.jpg
seen=""
for format in jpg png webp; do
    vips thumbnail in.jpg "out.$format[strip]" 100
    seen="$seen$format $(exiftool -a -G1 -s "out.$format" 2> /dev/null | grep -cE '^\[GPS\] +GPSL' || true) "
done
echo "fields of the place: $seen"
[ "$seen" = "jpg 0 png 0 webp 4 " ] || { echo "the behaviour has changed"; exit 1; }
