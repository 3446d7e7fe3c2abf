#!/bin/sh
# libmicrohttpd answers HEAD with the last chunk of a body when the size of the answer is not known.
#
# Package: libmicrohttpd 0.9.75 (Debian's libmicrohttpd12 0.9.75-6, libmicrohttpd-dev).
# Input:   HEAD and then GET, one after the other on one connection, of an answer made by MHD_create_response_from_callback
#          with MHD_SIZE_UNKNOWN.
# Seen:    behind the headers of the answer to HEAD come the bytes "0\r\n\r\n", so a client takes them for the beginning of the
#          answer to its next request. With a known size nothing comes.
# Expected: no body (RFC 9110, 9.3.2).
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
architecture=$(dpkg --print-architecture)
apt-get download -qq "libmicrohttpd12=0.9.75-6" "libmicrohttpd-dev=0.9.75-6"
for package in *.deb; do dpkg -x "$package" root; done
cat >server.c <<'C'
#include <microhttpd.h>
#include <stdio.h>
#include <string.h>

static ssize_t part(void *context, uint64_t position, char *buffer, size_t size) {
    (void)context; (void)size;
    if (position >= 5) return MHD_CONTENT_READER_END_OF_STREAM;
    memcpy(buffer, "hello", 5);
    return 5;
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *target, const char *method,
                              const char *version, const char *data, size_t *size, void **state) {
    (void)context; (void)method; (void)version; (void)data; (void)size;
    if (*state == NULL) { *state = connection; return MHD_YES; }
    uint64_t length = strcmp(target, "/known") == 0 ? 5 : MHD_SIZE_UNKNOWN;
    struct MHD_Response *response = MHD_create_response_from_callback(length, 1024, part, NULL, NULL);
    enum MHD_Result result = MHD_queue_response(connection, 200, response);
    MHD_destroy_response(response);
    return result;
}

int main(void) {
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_INTERNAL_POLLING_THREAD, 0, NULL, NULL, &answer, NULL, MHD_OPTION_LISTENING_ADDRESS_REUSE, 1u, MHD_OPTION_END);
    if (daemon == NULL) return 1;
    printf("%s %d\n", MHD_get_version(), MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    fflush(stdout);
    getchar();
    MHD_stop_daemon(daemon);
    return 0;
}
C
cc -Iroot/usr/include -o server server.c "$(find root -name 'libmicrohttpd.so.12*' -type f)"
libraries=$(dirname "$(find "$PWD/root" -name 'libmicrohttpd.so.12' | head -1)")
LD_LIBRARY_PATH=$libraries python3 - <<'PYTHON'
import socket
import subprocess

server = subprocess.Popen(["./server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
try:
    version, port = server.stdout.readline().split()
    print("libmicrohttpd", version)

    def between(target):
        """The bytes between the headers of the answer to HEAD and the answer to a GET behind it."""
        with socket.create_connection(("127.0.0.1", int(port)), timeout=10) as connection:
            request = f"HEAD {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
            connection.sendall(request)
            received = b""
            while b"\r\n\r\n" not in received:
                received += connection.recv(4096)
            connection.sendall(request.replace(b"HEAD", b"GET"))
            while b"hello" not in received:
                received += connection.recv(4096)
        behind = received.split(b"\r\n\r\n", 1)[1]
        return behind[:behind.index(b"HTTP/1.1 200")]

    seen = {target: between(target) for target in ("/known", "/unknown")}
    print("behind the headers of HEAD:", seen)
    assert seen == {"/known": b"", "/unknown": b"0\r\n\r\n"}, "the behaviour has changed"
finally:
    server.communicate("\n")
print("as found")
PYTHON
