#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <time.h>
#include <unistd.h>

static int cspawn_streams(posix_spawn_file_actions_t *actions, const char *folder, const int *streams) {
    int code = 0;
    for (int stream = 0; stream < 3 && !code; stream++)
        code = posix_spawn_file_actions_adddup2(actions, streams[stream], stream);
    if (!code) code = posix_spawn_file_actions_addchdir_np(actions, folder);
#if defined(__linux__)
    if (!code) code = posix_spawn_file_actions_addclosefrom_np(actions, 3);
#endif
    return code;
}

int cspawn_start(
    pid_t *process, char *const *arguments, char *const *environment, const char *folder, const int *streams) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int code = posix_spawn_file_actions_init(&actions);
    if (code) return code;
    code = posix_spawnattr_init(&attributes);
    if (code) {
        posix_spawn_file_actions_destroy(&actions);
        return code;
    }
    short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#if defined(POSIX_SPAWN_CLOEXEC_DEFAULT)
    flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#endif
    sigset_t set;
    sigemptyset(&set);
    posix_spawnattr_setsigmask(&attributes, &set);
    sigfillset(&set);
    posix_spawnattr_setsigdefault(&attributes, &set);
    posix_spawnattr_setflags(&attributes, flags);
    posix_spawnattr_setpgroup(&attributes, 0);
    code = cspawn_streams(&actions, folder, streams);
    if (!code) code = posix_spawn(process, arguments[0], &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code;
}

int cspawn_pipe(int *ends) {
#if defined(__linux__)
    return pipe2(ends, O_CLOEXEC) ? errno : 0;
#else
    if (pipe(ends)) return errno;
    for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
    return 0;
#endif
}

ssize_t cspawn_write(int descriptor, const void *bytes, size_t count) {
    sigset_t broken, before, pending;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&pending);
    pthread_sigmask(SIG_BLOCK, &broken, &before);
    ssize_t written = write(descriptor, bytes, count);
    int code = errno;
    // A signal that was pending before is not taken.
    if (written < 0 && code == EPIPE && !sigismember(&pending, SIGPIPE)) {
#if defined(__linux__)
        struct timespec none = {0, 0};
        while (sigtimedwait(&broken, NULL, &none) < 0 && errno == EINTR) {}
#else
        int signal;
        sigwait(&broken, &signal);
#endif
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = code;
    return written;
}
