#!/bin/sh
# exiftool's table form writes "-" for missing tags whatever MissingTagValue says, so that a camera called "-" looks missing.
#
# Package: libimage-exiftool-perl 12.57+dfsg-1 (Debian 12).
# Input:   exiftool -T -api MissingTagValue= -Make -Model of a file without either.
# Seen:    "-<tab>-".
# Expected: "<tab>", two empty fields.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -qq libimage-exiftool-perl=12.57+dfsg-1
dpkg -x libimage-exiftool-perl_*.deb root
export PERL5LIB="$folder/root/usr/share/perl5" PATH="$folder/root/usr/bin:$PATH"
printf 'P3 1 1 255 0 0 0\n' > in.ppm
seen=$(exiftool -T -api MissingTagValue= -Make -Model in.ppm)
printf '%s\n' "$seen" | cat -A
[ "$seen" = "$(printf '%s\t%s' - -)" ] || { echo "the behaviour has changed"; exit 1; }
