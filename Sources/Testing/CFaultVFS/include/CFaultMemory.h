#pragma once
#include <stdint.h>

/// An allocator for SQLite that passes every call on to SQLite's own and refuses the chosen ones.
///
/// It is one setting for the process: a process of its own installs it before it uses SQLite for the first time.

/// Installs the allocator; returns SQLite's result code, which is an error once SQLite has been used.
int fault_memory_install(void);

/// Lets the n-th allocation from here on fail; with `lasting`, all that follow it too.
void fault_memory_arm(int64_t n, int lasting);

/// Lets all allocations succeed; returns whether one had failed since it was armed.
int fault_memory_disarm(void);
