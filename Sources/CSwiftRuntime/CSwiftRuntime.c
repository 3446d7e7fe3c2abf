#include "CSwiftRuntime.h"
#include <stddef.h>

static _Thread_local const void *offered_binding;

const void *coredata_take_binding(void) {
    const void *binding = offered_binding;
    offered_binding = NULL;
    return binding;
}

void coredata_offer_binding(const void *binding) { offered_binding = binding; }

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
