#pragma once
#include <errno.h>
#include <microhttpd.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>

/// What a daemon listens on, and its limits.
struct cmicrohttpd_settings {
    /// A socket that listens; the daemon closes it.
    int socket;
    unsigned int connections;
    /// After so many seconds in which nothing moves, a connection is closed.
    unsigned int timeout;
    /// The bytes that a connection may take, header fields and buffers together.
    size_t memory;
};

/// By what a daemon proves who it is, and what it speaks. The texts must live until the daemon has started.
struct cmicrohttpd_tls {
    /// The private key and the certificate, each as PEM.
    const char *_Nonnull key;
    const char *_Nonnull certificate;
    /// The versions and ciphers, as GnuTLS writes them.
    const char *_Nonnull priorities;
};

/// Makes the state of a request from its address as it came; the state is handed to all further calls.
typedef void *_Nullable (*cmicrohttpd_begin)(
    void *_Nullable context, const char *_Nonnull target, struct MHD_Connection *_Nonnull connection);

/// Starts a daemon with a thread of its own; MHD_start_daemon is variadic, which Swift cannot call.
///
/// It speaks TLS if `tls` is given.
static inline struct MHD_Daemon *_Nullable cmicrohttpd_start(
    struct cmicrohttpd_settings settings, const struct cmicrohttpd_tls *_Nullable tls,
    MHD_AccessHandlerCallback _Nonnull handler, cmicrohttpd_begin _Nonnull begin,
    MHD_RequestCompletedCallback _Nonnull completed, MHD_NotifyConnectionCallback _Nonnull connected,
    void *_Nullable context) {
    struct MHD_OptionItem secure[] = {
        {MHD_OPTION_HTTPS_MEM_KEY, 0, tls ? (void *)tls->key : NULL},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, tls ? (void *)tls->certificate : NULL},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, tls ? (void *)tls->priorities : NULL},
        {MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem none[] = {{MHD_OPTION_END, 0, NULL}};
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | (tls ? MHD_USE_TLS : 0), 0, 0, 0, handler, context, MHD_OPTION_LISTEN_SOCKET,
        (MHD_socket)settings.socket, MHD_OPTION_CONNECTION_LIMIT, settings.connections, MHD_OPTION_CONNECTION_TIMEOUT,
        settings.timeout, MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings.memory, MHD_OPTION_URI_LOG_CALLBACK, begin,
        context, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_NOTIFY_CONNECTION, connected, context,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_ARRAY, tls ? secure : none, MHD_OPTION_END);
}

/// Has the daemon see no query in an address. It would take 64 bytes for each argument from the memory of the connection, and
/// where that is not enough, the answer that says so is never sent (libmicrohttpd 0.9.75). The address lies in the buffer of the
/// connection, of which nothing before the query is changed.
static inline void cmicrohttpd_hide_query(const char *_Nonnull target) {
    char *query = strchr((char *)target, '?');
    if (query) query[1] = 0;
}

/// Whether a notice is of a connection that begins, and not of one that ends.
static inline int cmicrohttpd_has_started(enum MHD_ConnectionNotificationCode code) {
    return code == MHD_CONNECTION_NOTIFY_STARTED;
}

/// Has an answer of unknown length end with the connection, without chunks.
static inline int cmicrohttpd_close_after(struct MHD_Response *_Nonnull response) {
    return MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

/// The bytes of a request's first line and header fields, with all that stands between them; 0 where that is not known.
static inline size_t cmicrohttpd_head_size(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    return info ? info->header_size : 0;
}

/// The size of the first chunk of a request's body, where it has come together with the header fields; else 0.
///
/// libmicrohttpd hands no sizes of chunks out, and waits for all of a chunk, however large. Its buffer has the first line,
/// the fields and what has come of the body one after the other, and zeros behind that (0.9.75). Where the target does not
/// stand behind the method, or more than `limit` bytes before the body, nothing is looked at.
static inline uint64_t cmicrohttpd_first_chunk(
    const char *_Nonnull method, const char *_Nonnull target, size_t head, size_t limit) {
    if (target != method + strlen(method) + 1 || head == 0 || head > limit) return 0;
    const char *text = method + head;
    uint64_t size = 0;
    for (int digits = 0; digits <= 16; digits++) {
        char digit = text[digits];
        if (digit >= '0' && digit <= '9') {
            size = size << 4 | (uint64_t)(digit - '0');
        } else if ((digit | 32) >= 'a' && (digit | 32) <= 'f') {
            size = size << 4 | (uint64_t)((digit | 32) - 'a' + 10);
        } else {
            return digit == '\r' || digit == ';' || digit == ' ' ? size : 0;
        }
    }
    // No number of the library's holds it, which it says itself.
    return 0;
}

/// The address of a client, an IPv4 address in the order of the network; 0 where it is not known.
static inline uint32_t cmicrohttpd_address(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    if (!info || !info->client_addr || info->client_addr->sa_family != AF_INET) return 0;
    // As struct sockaddr_in has it, behind the port. With its header here, Swift would take that type for one of this module.
    uint32_t address;
    memcpy(&address, info->client_addr->sa_data + 2, sizeof address);
    return address;
}

/// The header fields of a request, one after another.
static inline int cmicrohttpd_headers(
    struct MHD_Connection *_Nonnull connection, MHD_KeyValueIteratorN _Nonnull iterator, void *_Nullable context) {
    return MHD_get_connection_values_n(connection, MHD_HEADER_KIND, iterator, context);
}

/// The socket of a connection; -1 where it is not known.
static inline int cmicrohttpd_socket(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? (int)info->connect_fd : -1;
}

/// The session of GnuTLS that a connection has; NULL if it has none.
static inline void *_Nullable cmicrohttpd_session(struct MHD_Connection *_Nonnull connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info ? info->tls_session : NULL;
}

/// A set of sockets of which is told when the other side closes one.
static inline int cmicrohttpd_watch_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Tells once, by a number, when the other side of a socket closes it.
static inline int cmicrohttpd_watch_add(int watch, int socket, uint64_t number) {
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data = {.u64 = number}};
    return epoll_ctl(watch, EPOLL_CTL_ADD, socket, &event);
}

/// Tells no more of a socket.
static inline int cmicrohttpd_watch_remove(int watch, int socket) {
    struct epoll_event event = {0};
    return epoll_ctl(watch, EPOLL_CTL_DEL, socket, &event);
}

/// Gives the number of one socket that was closed; false where there is none.
static inline int cmicrohttpd_watch_next(int watch, uint64_t *_Nonnull number) {
    struct epoll_event event;
    int count = epoll_wait(watch, &event, 1, 0);
    if (count == 1) *number = event.data.u64;
    return count == 1;
}
