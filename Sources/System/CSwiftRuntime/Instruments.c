#define _GNU_SOURCE
#include "CSwiftRuntime.h"
#include <stdint.h>
#include <string.h>
#include <time.h>
#if defined(__linux__) || defined(__APPLE__)
#include <pthread.h>
#endif
#if defined(__linux__)
#include <link.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

int coredata_instruments_on = 0;
unsigned long long coredata_cached_faults = 0;

void coredata_set_instruments(int bit, int on) {
    if (on) {
        __atomic_fetch_or(&coredata_instruments_on, bit, __ATOMIC_SEQ_CST);
    } else {
        __atomic_fetch_and(&coredata_instruments_on, ~bit, __ATOMIC_SEQ_CST);
    }
}

unsigned long long coredata_take_cached_faults(void) {
    return __atomic_exchange_n(&coredata_cached_faults, 0, __ATOMIC_RELAXED);
}

unsigned long long coredata_monotonic_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long)now.tv_sec * 1000000000ull + (unsigned long long)now.tv_nsec;
}

// Asked of the system once a thread: for the main thread that reads a file.
static _Thread_local uintptr_t stack_end = 0;

static uintptr_t end_of_stack(void) {
    if (stack_end != 0) { return stack_end; }
#if defined(__APPLE__)
    stack_end = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
#elif defined(__linux__)
    pthread_attr_t attributes;
    void *start = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &start, &size) == 0) { stack_end = (uintptr_t)start + size; }
        pthread_attr_destroy(&attributes);
    }
#endif
    if (stack_end == 0) { stack_end = 1; }
    return stack_end;
}

#if defined(__clang__) || defined(__GNUC__)
__attribute__((no_sanitize("address", "thread", "undefined"), noinline))
#endif
int coredata_return_addresses(unsigned long long *addresses, int most) {
    uintptr_t end = end_of_stack();
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    int count = 0;
    while (count < most && frame % sizeof(uintptr_t) == 0 && frame + 2 * sizeof(uintptr_t) <= end) {
        uintptr_t next, address;
        memcpy(&next, (const void *)frame, sizeof next);
        memcpy(&address, (const void *)(frame + sizeof next), sizeof address);
        if (address < 4096) { break; }
        addresses[count++] = address;
        // Swift marks the frames of asynchronous functions by a bit that no address has.
        if (sizeof next == 8) { next &= ~(uintptr_t)((uint64_t)1 << 60); }
        if (next <= frame) { break; }
        frame = next;
    }
    return count;
}

unsigned int coredata_thread_number(void) {
    static _Thread_local unsigned int number = 0;
#if defined(__linux__)
    if (number == 0) { number = (unsigned int)syscall(SYS_gettid); }
#else
    static unsigned int last = 0;
    if (number == 0) { number = __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED); }
#endif
    return number;
}

#if defined(__linux__)
struct visit {
    void (*body)(const struct coredata_image *image, void *context);
    void *context;
};

static void find_build_id(struct coredata_image *image, const char *notes, size_t size) {
    size_t place = 0;
    while (place + sizeof(ElfW(Nhdr)) <= size) {
        ElfW(Nhdr) header;
        memcpy(&header, notes + place, sizeof header);
        size_t name = place + sizeof header;
        size_t content = name + (((size_t)header.n_namesz + 3) & ~(size_t)3);
        size_t next = content + (((size_t)header.n_descsz + 3) & ~(size_t)3);
        if (content > size || next > size) { return; }
        if (header.n_type == NT_GNU_BUILD_ID && header.n_namesz == 4 && memcmp(notes + name, "GNU", 4) == 0) {
            image->build_id = (const unsigned char *)notes + content;
            image->build_id_size = (int)header.n_descsz;
            return;
        }
        place = next;
    }
}

static int visit_image(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    struct visit *visit = context;
    struct coredata_image image = {info->dlpi_name ? info->dlpi_name : "", info->dlpi_addr, 0, NULL, 0};
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[index];
        if (part->p_type == PT_LOAD && part->p_vaddr + part->p_memsz > image.size) {
            image.size = part->p_vaddr + part->p_memsz;
        }
        if (part->p_type == PT_NOTE && image.build_id == NULL) {
            find_build_id(&image, (const char *)(info->dlpi_addr + part->p_vaddr), part->p_memsz);
        }
    }
    visit->body(&image, visit->context);
    return 0;
}

void coredata_visit_images(void (*body)(const struct coredata_image *image, void *context), void *context) {
    struct visit visit = {body, context};
    dl_iterate_phdr(visit_image, &visit);
}
#else
void coredata_visit_images(void (*body)(const struct coredata_image *image, void *context), void *context) {
    (void)body;
    (void)context;
}
#endif
