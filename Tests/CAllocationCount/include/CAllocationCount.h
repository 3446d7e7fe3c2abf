#pragma once
#include <stdint.h>

/// How many pieces of memory the calling thread has asked the allocator for, in whatever library.
/// -1 where calls of the allocator cannot be counted: other C libraries than GNU's, and under sanitizers.
int64_t coredata_allocations_of_this_thread(void);

/// How many bytes these pieces had together; -1 where calls cannot be counted.
int64_t coredata_allocated_bytes_of_this_thread(void);
