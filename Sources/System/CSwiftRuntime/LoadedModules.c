#include "CSwiftRuntime.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct loaded_module {
    struct loaded_module *next;
    char name[];
};

// Modules are only ever added, before `main` or when a library is loaded.
static _Atomic(struct loaded_module *) loaded_modules = NULL;

void coredata_note_module(const char *name) {
    size_t length = strlen(name);
    struct loaded_module *module = malloc(sizeof(struct loaded_module) + length + 1);
    if (module == NULL) { return; }
    memcpy(module->name, name, length + 1);
    module->next = atomic_load(&loaded_modules);
    while (!atomic_compare_exchange_weak(&loaded_modules, &module->next, module)) {}
}

const void *coredata_noted_module(const void *previous, const char **name) {
    const struct loaded_module *module = previous;
    module = module == NULL ? atomic_load(&loaded_modules) : module->next;
    if (module != NULL) { *name = module->name; }
    return module;
}
