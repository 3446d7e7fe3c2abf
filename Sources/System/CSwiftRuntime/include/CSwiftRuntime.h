#pragma once

#include <stddef.h>

/// Retains a Swift object unless its deinitialisation has begun.
/// Returns the object, or NULL when it is already going. The memory must still be there: the caller holds the lock
/// that the object's `deinit` takes before it lets go.
/// Source: `swift_tryRetain` of the Swift runtime's ABI (docs/Runtime.md of the Swift project).
extern void *_Nullable swift_tryRetain(void *_Nonnull object);

/// Retains a Swift object several times at once. Source: as above.
extern void *_Nonnull swift_retain_n(void *_Nonnull object, unsigned int count);

/// Memory for an object of a class, with its header filled and one reference that the caller owns; the properties are
/// for the caller to fill. Source: as above.
extern void *_Nonnull swift_allocObject(const void *_Nonnull type, size_t size, size_t alignment_mask);

/// A reference that the initialiser of an object is to take, and own, or NULL once it is taken; and the class of that object,
/// since others may be created before its initialiser comes to it.
struct coredata_offer {
    const void *_Nullable content;
    const void *_Nonnull object_class;
};

/// Makes an offer the one of this thread and gives the former one, which whoever makes an offer puts back.
struct coredata_offer *_Nullable coredata_exchange_offer(struct coredata_offer *_Nullable offer);

/// The reference that this thread offers to an object of a class; NULL when there is none, or none any more.
const void *_Nullable coredata_take_offered(const void *_Nonnull object_class);

/// Adds to the number of managed objects whose ends this thread is in the middle of, one inside the other, and
/// returns the new number.
int coredata_change_release_depth(int change);

/// What this thread has put off letting go of: an owned reference to a list, or NULL. Handing in another gives the
/// former one, which the caller then owns.
void *_Nullable coredata_exchange_waiting(void *_Nullable list);

/// The innermost of the queues whose blocks this thread is inside of, or NULL; setting gives the former one.
/// Nothing is retained: whoever sets one sets the former again before it goes.
void *_Nullable coredata_held_queue(void);
void *_Nullable coredata_exchange_held_queue(void *_Nullable queue);

/// The label of the dispatch queue whose block this thread is inside of; empty when it is in none.
const char *_Nonnull coredata_queue_label(void);

/// The name of the function at an address, and the file that it came from; NULL for what the linker does not know.
const char *_Nullable coredata_symbol(const void *_Nonnull address, const char *_Nullable *_Nonnull file);

/// Notes the name of a module with generated classes. Its sources do so when their image is loaded, before `main`: nothing
/// of Swift is needed for it.
void coredata_note_module(const char *_Nonnull name);

/// The noted module behind another, or the first one for NULL, with its name; NULL behind the last. Both live on.
const void *_Nullable coredata_noted_module(const void *_Nullable previous, const char *_Nullable *_Nonnull name);

/// What wants to know what the library does, as bits: a recording, a handler of metrics, a handler of spans.
static const int COREDATA_RECORDING = 1;
static const int COREDATA_METRICS = 2;
static const int COREDATA_SPANS = 4;

/// The bits of all that want to know what the library does; 0 for nothing. Read by the functions below, and set by
/// `coredata_set_instruments`.
extern int coredata_instruments_on;
void coredata_set_instruments(int bit, int on);

/// Those of some bits that are set; one load.
static inline int coredata_instruments_wanted(int bits) {
    return __atomic_load_n(&coredata_instruments_on, __ATOMIC_RELAXED) & bits;
}

/// Nanoseconds of a clock that only goes forward.
unsigned long long coredata_monotonic_time(void);

/// 0 while nothing wants to know, which costs one load and no call; otherwise the time.
static inline unsigned long long coredata_instruments_start(void) {
    return __atomic_load_n(&coredata_instruments_on, __ATOMIC_RELAXED) ? coredata_monotonic_time() : 0;
}

/// How many faults found their rows without asking a store since the recording began.
extern unsigned long long coredata_cached_faults;
static inline void coredata_note_cached_fault(void) {
    if (coredata_instruments_wanted(COREDATA_RECORDING)) {
        __atomic_fetch_add(&coredata_cached_faults, 1, __ATOMIC_RELAXED);
    }
}

/// The number of faults noted, of which none are left.
unsigned long long coredata_take_cached_faults(void);

/// The return addresses of this thread's calls, the innermost first, as many as there are or fit; a chain of frames that
/// leads out of the thread's stack ends there.
int coredata_return_addresses(unsigned long long *_Nonnull addresses, int most);

/// The number by which the system knows this thread.
unsigned int coredata_thread_number(void);

/// One file of machine code in this process.
struct coredata_image {
    const char *_Nonnull path;
    unsigned long long base;
    unsigned long long size;
    const unsigned char *_Nullable build_id;
    int build_id_size;
};

/// Hands out each file of machine code that is loaded; the path of the program itself is empty.
void coredata_visit_images(void (*_Nonnull body)(const struct coredata_image *_Nonnull image, void *_Nullable context),
                           void *_Nullable context);
