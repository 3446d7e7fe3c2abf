// Tells the thread sanitizer of locks that it cannot see.
//
// The slow paths of Swift's `Mutex`, where one thread waits for another, are in a library of the toolchain that is not
// instrumented: without this, whatever a mutex guards is reported as a race once two threads meet. In a build for the
// sanitizer the two functions here stand before the library's, which they call. Source of the names: the exported symbols
// of libswiftSynchronization. In any other build this file is empty.

#if defined(__linux__) && defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define swift __attribute__((swiftcall))
#define itself __attribute__((swift_context))

void __tsan_acquire(void *address);
void __tsan_release(void *address);

typedef swift void (*lock_function)(uint32_t thread, itself void *handle);
typedef swift void (*unlock_function)(itself void *handle);

swift void coredata_lock_slow(uint32_t thread, itself void *handle) __asm__(LOCK);
swift void coredata_unlock_slow(itself void *handle) __asm__(UNLOCK);

swift void coredata_lock_slow(uint32_t thread, itself void *handle) {
    ((lock_function)dlsym(RTLD_NEXT, LOCK))(thread, handle);
    __tsan_acquire(handle);
}

swift void coredata_unlock_slow(itself void *handle) {
    __tsan_release(handle);
    ((unlock_function)dlsym(RTLD_NEXT, UNLOCK))(handle);
}
#endif
#endif
