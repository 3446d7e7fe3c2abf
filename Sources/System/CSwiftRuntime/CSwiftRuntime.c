#define _GNU_SOURCE
#include "CSwiftRuntime.h"
#include <stddef.h>
#if !defined(_WIN32) && !defined(__wasi__)
#include <dlfcn.h>
#endif

static _Thread_local struct coredata_offer *current_offer = NULL;

struct coredata_offer *coredata_exchange_offer(struct coredata_offer *offer) {
    struct coredata_offer *former = current_offer;
    current_offer = offer;
    return former;
}

const void *coredata_take_offered(const void *object_class) {
    struct coredata_offer *offer = current_offer;
    if (offer == NULL || offer->object_class != object_class) { return NULL; }
    const void *content = offer->content;
    offer->content = NULL;
    return content;
}

static _Thread_local int release_depth = 0;

int coredata_change_release_depth(int change) {
    release_depth += change;
    return release_depth;
}

static _Thread_local void *waiting_list = NULL;

void *coredata_exchange_waiting(void *list) {
    void *former = waiting_list;
    waiting_list = list;
    return former;
}

// Declared here, so that the module can be imported beside Dispatch's own.
extern const char *dispatch_queue_get_label(void *queue);

const char *coredata_queue_label(void) { return dispatch_queue_get_label(NULL); }

static _Thread_local void *held_queue = NULL;

void *coredata_held_queue(void) { return held_queue; }

void *coredata_exchange_held_queue(void *queue) {
    void *former = held_queue;
    held_queue = queue;
    return former;
}

const char *coredata_symbol(const void *address, const char **file) {
#if defined(_WIN32) || defined(__wasi__)
    // Addresses stay numbers there.
    (void)address;
    (void)file;
    return NULL;
#else
    Dl_info info;
    if (dladdr(address, &info) == 0) { return NULL; }
    *file = info.dli_fname;
    return info.dli_sname;
#endif
}
