// Glibc shows `pread`, `pwrite` and `ftruncate` to those who ask for them.
#define _GNU_SOURCE
#include "UnsyncedWrites.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CFaultVFS.h"

/// What a disk writes at once, or not at all.
enum { SECTOR = 512 };

/// A change of a file that no synchronisation has followed yet.
typedef struct {
    char *path;
    /// The bytes that were written; NULL for a change of the size.
    char *bytes;
    int count;
    int64_t offset;
    /// What stood at the place before, as far as the file reached, and how long the file was.
    char *former;
    int former_count;
    int64_t former_size;
} change;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static change *changes;
static int change_count, capacity, is_watching;

static void release(change *one) {
    free(one->path);
    free(one->bytes);
    free(one->former);
}

static void forget(const char *path) {
    int kept = 0;
    for (int i = 0; i < change_count; i++) {
        if (path == NULL || strcmp(changes[i].path, path) == 0) {
            release(&changes[i]);
        } else {
            changes[kept++] = changes[i];
        }
    }
    change_count = kept;
}

int unsynced_is_watching(void) { return is_watching; }

void unsynced_forget(const char *path) {
    pthread_mutex_lock(&lock);
    if (path) forget(path);
    pthread_mutex_unlock(&lock);
}

void fault_vfs_watch(void) {
    pthread_mutex_lock(&lock);
    forget(NULL);
    is_watching = 1;
    pthread_mutex_unlock(&lock);
}

static void note(const char *path, sqlite3_file *file, const void *bytes, int count, int64_t offset) {
    if (!path) return;
    sqlite3_int64 size = 0;
    file->pMethods->xFileSize(file, &size);
    int64_t left = size - offset;
    change one = {.path = strdup(path), .count = count, .offset = offset, .former_size = size};
    one.former_count = left <= 0 ? 0 : bytes && left > count ? count : (int)left;
    one.former = malloc(one.former_count + 1);
    if (one.former_count) file->pMethods->xRead(file, one.former, one.former_count, offset);
    if (bytes) {
        one.bytes = malloc(count + 1);
        memcpy(one.bytes, bytes, count);
    }
    pthread_mutex_lock(&lock);
    if (change_count == capacity) {
        capacity = capacity ? 2 * capacity : 64;
        changes = realloc(changes, capacity * sizeof(change));
    }
    changes[change_count++] = one;
    pthread_mutex_unlock(&lock);
}

void unsynced_note_write(const char *path, sqlite3_file *file, const void *bytes, int count, int64_t offset) {
    note(path, file, bytes, count, offset);
}

void unsynced_note_size(const char *path, sqlite3_file *file, int64_t size) { note(path, file, NULL, 0, size); }

/// Bits that look like chance. Source: the generator SplitMix64.
static uint64_t next(uint64_t *seed) {
    uint64_t bits = (*seed += 0x9E3779B97F4A7C15);
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB;
    return bits ^ (bits >> 31);
}

/// What a failing write here would mean is seen by the test that asked for it.
static void put(int file, const char *bytes, int count, int64_t offset) {
    ssize_t written = pwrite(file, bytes, count, offset);
    (void)written;
}

static void set_size(int file, int64_t size) {
    int result = ftruncate(file, size);
    (void)result;
}

static void take_back(const change *one) {
    int file = open(one->path, O_RDWR);
    if (file < 0) return;
    if (one->former_count) put(file, one->former, one->former_count, one->offset);
    set_size(file, one->former_size);
    close(file);
}

static void carry_out(const change *one, uint64_t *seed) {
    int file = open(one->path, O_RDWR);
    if (file < 0) return;
    if (!one->bytes) {
        if (next(seed) & 1) set_size(file, one->offset);
    } else {
        for (int place = 0; place < one->count;) {
            int end = place + SECTOR - (int)((one->offset + place) % SECTOR);
            if (end > one->count) end = one->count;
            if (next(seed) & 1) put(file, one->bytes + place, end - place, one->offset + place);
            place = end;
        }
    }
    close(file);
}

int fault_vfs_lose_power(uint64_t seed) {
    pthread_mutex_lock(&lock);
    int open_count = change_count;
    for (int i = change_count - 1; i >= 0; i--) take_back(&changes[i]);
    // In an arbitrary order: each place is exchanged with an earlier one.
    for (int i = change_count - 1; i > 0; i--) {
        int other = (int)(next(&seed) % (uint64_t)(i + 1));
        change one = changes[i];
        changes[i] = changes[other];
        changes[other] = one;
    }
    for (int i = 0; i < change_count; i++) carry_out(&changes[i], &seed);
    forget(NULL);
    is_watching = 0;
    pthread_mutex_unlock(&lock);
    return open_count;
}
