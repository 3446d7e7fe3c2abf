# A bare Debian in a folder of its own, made by debootstrap, which goes when the script ends. For scripts to read by `source`:
#
#   bare_debian CALLER        # makes it; $folder is a temporary folder, $debian the system below it
#   inside COMMAND…           # runs a command in it, as root, with an environment that has nothing of this machine
bare_debian() {
    if [ "$(id -u)" -ne 0 ]; then
        echo "$1: a bare Debian is made by debootstrap, which needs root" >&2
        exit 2
    fi
    folder=$(mktemp -d)
    debian=$folder/debian
    # What is mounted below it must go before the folder does.
    trap 'forget_debian' EXIT
    local mirror
    mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null | head -1 || true)
    debootstrap --variant=minbase bookworm "$debian" "${mirror:-http://deb.debian.org/debian}" >"$folder/debootstrap.log" ||
        { tail -20 "$folder/debootstrap.log" >&2; exit 1; }
    mount -t proc proc "$debian/proc"
    # How this machine reaches the archive.
    cp /etc/resolv.conf "$debian/etc/resolv.conf"
    [ ! -d /etc/apt/apt.conf.d ] || cp /etc/apt/apt.conf.d/* "$debian/etc/apt/apt.conf.d/" 2>/dev/null || true
}

forget_debian() {
    local mounted
    for mounted in $(awk -v root="$debian/" 'index($2, root) == 1 { print $2 }' /proc/mounts | sort -r); do
        umount "$mounted" || return 0
    done
    rm -rf "$folder"
}

inside() { chroot "$debian" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
