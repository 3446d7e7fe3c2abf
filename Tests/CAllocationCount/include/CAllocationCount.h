#pragma once
#include <stdint.h>

/// How many pieces of memory the calling thread has asked the allocator for, in whatever library.
/// -1 where calls of the allocator cannot be counted: other C libraries than GNU's, and under sanitizers.
int64_t coredata_allocations_of_this_thread(void);
