// Functions of the allocator's names, which the executable's own come before the C library's: they count and hand on.
#include "CAllocationCount.h"
#include <errno.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static _Thread_local int64_t allocations;
static _Thread_local int64_t bytes;

int64_t coredata_allocations_of_this_thread(void) { return allocations; }
int64_t coredata_allocated_bytes_of_this_thread(void) { return bytes; }

static void note(size_t size) {
    allocations++;
    bytes += (int64_t)size;
}

void *malloc(size_t size) {
    note(size);
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    note(count * size);
    return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    note(size);
    return __libc_realloc(memory, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note(size);
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    note(size);
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    void *made = __libc_memalign(alignment, size);
    if (made == NULL) return ENOMEM;
    *memory = made;
    return 0;
}
#else
int64_t coredata_allocations_of_this_thread(void) { return -1; }
int64_t coredata_allocated_bytes_of_this_thread(void) { return -1; }
#endif
