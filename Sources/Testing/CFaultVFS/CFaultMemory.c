#include "CFaultMemory.h"

#include <sqlite3.h>
#include <stddef.h>

static sqlite3_mem_methods original;

static struct {
    int is_armed;
    int64_t remaining;
    int lasting;
    int has_failed;
} plan;

void fault_memory_arm(int64_t n, int lasting) {
    plan.remaining = n;
    plan.lasting = lasting;
    plan.has_failed = 0;
    plan.is_armed = 1;
}

int fault_memory_disarm(void) {
    plan.is_armed = 0;
    return plan.has_failed;
}

/// Whether the allocation that is asked for is refused.
static int is_refused(void) {
    if (!plan.is_armed) return 0;
    if (plan.remaining > 1) {
        plan.remaining--;
        return 0;
    }
    if (plan.has_failed && !plan.lasting) return 0;
    plan.has_failed = 1;
    return 1;
}

static void *allocate(int size) { return is_refused() ? NULL : original.xMalloc(size); }

static void *resize(void *memory, int size) { return is_refused() ? NULL : original.xRealloc(memory, size); }

int fault_memory_install(void) {
    int code = sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
    if (code) return code;
    sqlite3_mem_methods ours = original;
    ours.xMalloc = allocate;
    ours.xRealloc = resize;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &ours);
}
