#pragma once
#include <errno.h>
#include <microhttpd.h>
#include <stdint.h>
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

/// Makes the state of a request from its address as it came; the state is handed to all further calls.
typedef void *_Nullable (*cmicrohttpd_begin)(
    void *_Nullable context, const char *_Nonnull target, struct MHD_Connection *_Nonnull connection);

/// Starts a daemon with a thread of its own; MHD_start_daemon is variadic, which Swift cannot call.
static inline struct MHD_Daemon *_Nullable cmicrohttpd_start(
    struct cmicrohttpd_settings settings, MHD_AccessHandlerCallback _Nonnull handler, cmicrohttpd_begin _Nonnull begin,
    MHD_RequestCompletedCallback _Nonnull completed, void *_Nullable context) {
    return MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, 0, 0, handler, context, MHD_OPTION_LISTEN_SOCKET,
        (MHD_socket)settings.socket, MHD_OPTION_CONNECTION_LIMIT, settings.connections, MHD_OPTION_CONNECTION_TIMEOUT,
        settings.timeout, MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings.memory, MHD_OPTION_URI_LOG_CALLBACK, begin,
        context, MHD_OPTION_NOTIFY_COMPLETED, completed, context, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
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
