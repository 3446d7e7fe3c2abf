#pragma once
#include <sqlite3.h>
#include <stdint.h>

/// Whether writes are noted at present.
int unsynced_is_watching(void);

/// Notes a write to a file by its path, with what stood there; call it before the write.
void unsynced_note_write(const char *path, sqlite3_file *file, const void *bytes, int count, int64_t offset);

/// Notes a change of a file's size; call it before the change.
void unsynced_note_size(const char *path, sqlite3_file *file, int64_t size);

/// Forgets the noted changes of a file, which are on the disk now.
void unsynced_forget(const char *path);
