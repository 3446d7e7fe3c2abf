#include "CAvahi.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// The functions of libavahi-client and of libavahi-common, which it brings along.
#define FUNCTIONS(use)              \
    use(client_new)                 \
    use(client_free)                \
    use(client_errno)               \
    use(entry_group_new)            \
    use(entry_group_free)           \
    use(entry_group_reset)          \
    use(entry_group_commit)         \
    use(entry_group_add_service_strlst)        \
    use(entry_group_add_service_subtype)       \
    use(entry_group_update_service_txt_strlst) \
    use(service_browser_new)        \
    use(service_browser_free)       \
    use(domain_browser_new)         \
    use(domain_browser_free)        \
    use(service_resolver_new)       \
    use(service_resolver_free)      \
    use(string_list_add_arbitrary)  \
    use(string_list_reverse)        \
    use(string_list_free)           \
    use(threaded_poll_new)          \
    use(threaded_poll_get)          \
    use(threaded_poll_start)        \
    use(threaded_poll_lock)         \
    use(threaded_poll_unlock)       \
    use(strerror)

#define MEMBER(name) __typeof__(&avahi_##name) name;
static struct {
    FUNCTIONS(MEMBER)
} avahi;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int is_loaded;
static char load_error[512];

static void load(void) {
    // Its address is never given up: its thread runs until the process ends.
    void *library = dlopen("libavahi-client.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *said = dlerror();
        snprintf(load_error, sizeof load_error, "%s", said ? said : "libavahi-client.so.3 cannot be opened");
        return;
    }
#define FIND(name)                                                                                        \
    *(void **)&avahi.name = dlsym(library, "avahi_" #name);                                               \
    if (!avahi.name) {                                                                                    \
        snprintf(load_error, sizeof load_error, "libavahi-client.so.3 has no function avahi_" #name);     \
        return;                                                                                           \
    }
    FUNCTIONS(FIND)
    is_loaded = 1;
}

int cavahi_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

const char *cavahi_load_error(void) { return load_error; }

AvahiThreadedPoll *cavahi_poll_new(void) { return avahi.threaded_poll_new(); }
int cavahi_poll_start(AvahiThreadedPoll *poll) { return avahi.threaded_poll_start(poll); }
void cavahi_poll_lock(AvahiThreadedPoll *poll) { avahi.threaded_poll_lock(poll); }
void cavahi_poll_unlock(AvahiThreadedPoll *poll) { avahi.threaded_poll_unlock(poll); }

AvahiClient *cavahi_client_new(AvahiThreadedPoll *poll, AvahiClientCallback callback, void *context, int *error) {
    return avahi.client_new(avahi.threaded_poll_get(poll), 0, callback, context, error);
}
void cavahi_client_free(AvahiClient *client) { avahi.client_free(client); }
int cavahi_client_errno(AvahiClient *client) { return avahi.client_errno(client); }

AvahiEntryGroup *cavahi_group_new(AvahiClient *client, AvahiEntryGroupCallback callback, void *context) {
    return avahi.entry_group_new(client, callback, context);
}
void cavahi_group_free(AvahiEntryGroup *group) { avahi.entry_group_free(group); }
int cavahi_group_reset(AvahiEntryGroup *group) { return avahi.entry_group_reset(group); }
int cavahi_group_commit(AvahiEntryGroup *group) { return avahi.entry_group_commit(group); }

// The list has its last entry first: each is added before the others. The library sends it in the order of its links.
static int parse(const uint8_t *text, size_t size, AvahiStringList **list) {
    AvahiStringList *made = NULL;
    for (size_t at = 0; at < size; at += 1 + text[at]) {
        if (size - at - 1 < text[at]) {
            avahi.string_list_free(made);
            return AVAHI_ERR_INVALID_RDATA;
        }
        AvahiStringList *longer = avahi.string_list_add_arbitrary(made, text + at + 1, text[at]);
        if (!longer) {
            avahi.string_list_free(made);
            return AVAHI_ERR_NO_MEMORY;
        }
        made = longer;
    }
    // What the library sends, it turns round once more; tests hold the order that arrives to the one given.
    *list = made;
    return AVAHI_OK;
}

int cavahi_group_add(
    AvahiEntryGroup *group, const char *name, const char *type, const char *domain, uint16_t port, const uint8_t *text,
    size_t text_size) {
    AvahiStringList *list = NULL;
    int code = parse(text, text_size, &list);
    if (code < 0) return code;
    code = avahi.entry_group_add_service_strlst(
        group, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, 0, name, type, domain, NULL, port, list);
    avahi.string_list_free(list);
    return code;
}

int cavahi_group_add_subtype(
    AvahiEntryGroup *group, const char *name, const char *type, const char *domain, const char *subtype) {
    return avahi.entry_group_add_service_subtype(
        group, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, 0, name, type, domain, subtype);
}

int cavahi_group_update_text(
    AvahiEntryGroup *group, const char *name, const char *type, const char *domain, const uint8_t *text,
    size_t text_size) {
    AvahiStringList *list = NULL;
    int code = parse(text, text_size, &list);
    if (code < 0) return code;
    code = avahi.entry_group_update_service_txt_strlst(
        group, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, 0, name, type, domain, list);
    avahi.string_list_free(list);
    return code;
}

AvahiServiceBrowser *cavahi_browser_new(
    AvahiClient *client, const char *type, const char *domain, AvahiServiceBrowserCallback callback, void *context) {
    return avahi.service_browser_new(client, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, type, domain, 0, callback, context);
}
void cavahi_browser_free(AvahiServiceBrowser *browser) { avahi.service_browser_free(browser); }

AvahiDomainBrowser *cavahi_domain_browser_new(
    AvahiClient *client, AvahiDomainBrowserType kind, AvahiDomainBrowserCallback callback, void *context) {
    return avahi.domain_browser_new(client, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, NULL, kind, 0, callback, context);
}
void cavahi_domain_browser_free(AvahiDomainBrowser *browser) { avahi.domain_browser_free(browser); }

AvahiServiceResolver *cavahi_resolver_new(
    AvahiClient *client, const char *name, const char *type, const char *domain, AvahiProtocol addresses,
    AvahiServiceResolverCallback callback, void *context) {
    return avahi.service_resolver_new(
        client, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, name, type, domain, addresses, 0, callback, context);
}
void cavahi_resolver_free(AvahiServiceResolver *resolver) { avahi.service_resolver_free(resolver); }

size_t cavahi_text(const AvahiStringList *list, uint8_t *bytes, size_t capacity) {
    size_t size = 0;
    for (const AvahiStringList *entry = list; entry; entry = entry->next) {
        // An entry of DNS has at most 255 bytes; a longer one cannot have come from there.
        if (entry->size > 255) continue;
        if (bytes && size + 1 + entry->size <= capacity) {
            bytes[size] = (uint8_t)entry->size;
            memcpy(bytes + size + 1, entry->text, entry->size);
        }
        size += 1 + entry->size;
    }
    return size;
}

const char *cavahi_message(int error) { return avahi.strerror(error); }
