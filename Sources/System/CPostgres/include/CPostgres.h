#pragma once
#if __has_include(<libpq-fe.h>)
#include <libpq-fe.h>
#else
#include <postgresql/libpq-fe.h>
#endif
#include <poll.h>
#include <time.h>

/// Nanoseconds of the clock that recordings have.
static inline unsigned long long cpostgres_monotonic_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long)now.tv_sec * 1000000000ull + (unsigned long long)now.tv_nsec;
}

/// Has a connection say nothing of the server's notices, which libpq else prints.
static inline void cpostgres_ignore_notice(void *_Nullable context, const PGresult *_Nullable result) {}

static inline void cpostgres_ignore_notices(PGconn *_Nonnull connection) {
    PQsetNoticeReceiver(connection, cpostgres_ignore_notice, 0);
}
