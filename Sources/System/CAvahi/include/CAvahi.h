#pragma once
#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-client/publish.h>
#include <avahi-common/error.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>
#include <stddef.h>
#include <stdint.h>

// The library is opened when a program first asks for it, and is not linked: a program that never discovers anything starts
// where it is not installed, and one that does gets an error that names the package. All other functions may be called only
// after cavahi_load has returned 1.

/// Opens the library, once in a process; 0 if it is not installed, or lacks a function.
int cavahi_load(void);
/// What the system's loader said when the library could not be opened; an empty text after it was.
const char *_Nonnull cavahi_load_error(void);

// What runs the library's callbacks: one thread, which holds a lock during each callback.

AvahiThreadedPoll *_Nullable cavahi_poll_new(void);
/// Starts the thread; negative if that fails.
int cavahi_poll_start(AvahiThreadedPoll *_Nonnull poll);
void cavahi_poll_lock(AvahiThreadedPoll *_Nonnull poll);
void cavahi_poll_unlock(AvahiThreadedPoll *_Nonnull poll);

// With the lock held.

AvahiClient *_Nullable cavahi_client_new(
    AvahiThreadedPoll *_Nonnull poll, AvahiClientCallback _Nonnull callback, void *_Nullable context,
    int *_Nonnull error);
void cavahi_client_free(AvahiClient *_Nonnull client);
int cavahi_client_errno(AvahiClient *_Nonnull client);

AvahiEntryGroup *_Nullable cavahi_group_new(
    AvahiClient *_Nonnull client, AvahiEntryGroupCallback _Nonnull callback, void *_Nullable context);
void cavahi_group_free(AvahiEntryGroup *_Nonnull group);
int cavahi_group_reset(AvahiEntryGroup *_Nonnull group);
int cavahi_group_commit(AvahiEntryGroup *_Nonnull group);
/// Adds a service on all interfaces. `text` is a TXT record as DNS has it: entries, each behind a byte with its length.
int cavahi_group_add(
    AvahiEntryGroup *_Nonnull group, const char *_Nonnull name, const char *_Nonnull type, const char *_Nullable domain,
    uint16_t port, const uint8_t *_Nullable text, size_t text_size);
int cavahi_group_add_subtype(
    AvahiEntryGroup *_Nonnull group, const char *_Nonnull name, const char *_Nonnull type, const char *_Nullable domain,
    const char *_Nonnull subtype);
int cavahi_group_update_text(
    AvahiEntryGroup *_Nonnull group, const char *_Nonnull name, const char *_Nonnull type, const char *_Nullable domain,
    const uint8_t *_Nullable text, size_t text_size);

AvahiServiceBrowser *_Nullable cavahi_browser_new(
    AvahiClient *_Nonnull client, const char *_Nonnull type, const char *_Nullable domain,
    AvahiServiceBrowserCallback _Nonnull callback, void *_Nullable context);
void cavahi_browser_free(AvahiServiceBrowser *_Nonnull browser);

/// Browses for domains: those in which to look for services, or to publish them.
AvahiDomainBrowser *_Nullable cavahi_domain_browser_new(
    AvahiClient *_Nonnull client, AvahiDomainBrowserType kind, AvahiDomainBrowserCallback _Nonnull callback,
    void *_Nullable context);
void cavahi_domain_browser_free(AvahiDomainBrowser *_Nonnull browser);

AvahiServiceResolver *_Nullable cavahi_resolver_new(
    AvahiClient *_Nonnull client, const char *_Nonnull name, const char *_Nonnull type, const char *_Nullable domain,
    AvahiProtocol addresses, AvahiServiceResolverCallback _Nonnull callback, void *_Nullable context);
void cavahi_resolver_free(AvahiServiceResolver *_Nonnull resolver);

/// Writes the entries of a list as a TXT record of DNS, in their order; returns its size, of which no more than `capacity`
/// bytes are written.
size_t cavahi_text(const AvahiStringList *_Nullable list, uint8_t *_Nullable bytes, size_t capacity);

// Without the lock.

const char *_Nonnull cavahi_message(int error);
