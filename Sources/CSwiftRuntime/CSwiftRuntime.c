#include "CSwiftRuntime.h"
#include <stddef.h>

static _Thread_local const void *offered_binding;

const void *coredata_take_binding(void) {
    const void *binding = offered_binding;
    offered_binding = NULL;
    return binding;
}

void coredata_offer_binding(const void *binding) { offered_binding = binding; }
