#pragma once
// Starting a program with nothing of this process but three streams, which Swift's module of the C library cannot say.
#include <sys/types.h>

/// Starts a program as the leader of a process group of its own, with standard signals.
///
/// The streams become its standard input, output and error; it has no other descriptor, and starts in the folder.
/// Returns 0, or a code of errno.
int cspawn_start(
    pid_t *_Nonnull process, char *const _Nullable *_Nonnull arguments, char *const _Nullable *_Nonnull environment,
    const char *_Nonnull folder, const int *_Nonnull streams);

/// A pipe that children do not inherit: its reading and its writing end. Returns 0, or a code of errno.
int cspawn_pipe(int *_Nonnull ends);

/// Writes as `write`, without a signal where nothing reads the pipe. Returns the bytes written, or -1 with errno.
ssize_t cspawn_write(int descriptor, const void *_Nullable bytes, size_t count);
