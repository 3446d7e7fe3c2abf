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
