#pragma once
#include <stdint.h>

/// A file system for SQLite that passes every call on to the platform's own and fails the chosen ones.
///
/// What fails is one setting for the process: only one test at a time may use it.

/// The calls that can fail, as bits.
enum {
    FAULT_READ = 1,
    FAULT_WRITE = 2,
    FAULT_SYNC = 4,
    FAULT_TRUNCATE = 8,
    FAULT_OPEN = 16,
    FAULT_LOCK = 32,
    FAULT_SHARED_MEMORY = 64,
};

/// The name under which the file system is registered.
#define FAULT_VFS_NAME "coredata-faults"

/// Registers the file system, once; returns SQLite's result code.
int fault_vfs_register(void);

/// Lets the n-th of the chosen calls from here on return a result code; with `lasting`, all that follow it too.
void fault_vfs_arm(int calls, int64_t n, int code, int lasting);

/// Lets all calls pass; returns whether one had failed since it was armed.
int fault_vfs_disarm(void);
