#pragma once
#include <stdint.h>

#include "CFaultMemory.h"

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
    FAULT_DELETE = 128,
};

/// The name under which the file system is registered.
#define FAULT_VFS_NAME "coredata-faults"

/// Registers the file system, once; returns SQLite's result code.
int fault_vfs_register(void);

/// Registers the file system as the one of every database that names none; returns SQLite's result code.
int fault_vfs_register_for_all(void);

/// Lets the n-th of the chosen calls from here on return a result code; with `lasting`, all that follow it too.
void fault_vfs_arm(int calls, int64_t n, int code, int lasting);

/// Lets all calls pass; returns whether one had failed since it was armed.
int fault_vfs_disarm(void);

/// Begins to note what is written and not yet synchronised, file by file; forgets what was noted before.
void fault_vfs_watch(void);

/// Loses the power: of what was not synchronised, an arbitrary part is in the files afterwards, sector by sector and in no
/// order; a synchronised write is there whole. Ends the watch. All files must be closed. Returns how many writes were open.
int fault_vfs_lose_power(uint64_t seed);
