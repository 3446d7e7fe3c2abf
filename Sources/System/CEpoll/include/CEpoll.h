#pragma once
// What Swift's modules of the C library lack of Linux; empty on other systems.
#if defined(__linux__)
#include <stdint.h>
#include <sys/epoll.h>

enum cepoll_readiness { CEPOLL_READABLE = 1, CEPOLL_WRITABLE = 2, CEPOLL_HUNG_UP = 4 };

/// A socket that is ready, by the number that it was added with.
struct cepoll_event {
    uint64_t number;
    uint8_t readiness;
};

static inline int cepoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int cepoll_change(int set, int operation, int socket, uint64_t number, uint8_t interest) {
    struct epoll_event event = {.data = {.u64 = number}};
    if (interest & CEPOLL_READABLE) event.events |= EPOLLIN;
    if (interest & CEPOLL_WRITABLE) event.events |= EPOLLOUT;
    return epoll_ctl(set, operation, socket, &event);
}

static inline int cepoll_add(int set, int socket, uint64_t number, uint8_t interest) {
    return cepoll_change(set, EPOLL_CTL_ADD, socket, number, interest);
}

static inline int cepoll_modify(int set, int socket, uint64_t number, uint8_t interest) {
    return cepoll_change(set, EPOLL_CTL_MOD, socket, number, interest);
}

static inline int cepoll_remove(int set, int socket) {
    return cepoll_change(set, EPOLL_CTL_DEL, socket, 0, 0);
}

/// Waits for at most so many milliseconds, -1 for any time, and gives at most 64 sockets.
static inline int cepoll_wait(int set, struct cepoll_event *_Nonnull ready, int milliseconds) {
    struct epoll_event events[64];
    int count = epoll_wait(set, events, 64, milliseconds);
    for (int place = 0; place < count; place++) {
        ready[place].number = events[place].data.u64;
        ready[place].readiness = (events[place].events & EPOLLIN ? CEPOLL_READABLE : 0)
            | (events[place].events & EPOLLOUT ? CEPOLL_WRITABLE : 0)
            | (events[place].events & (EPOLLHUP | EPOLLERR) ? CEPOLL_HUNG_UP : 0);
    }
    return count;
}
#endif
