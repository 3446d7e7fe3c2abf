#pragma once
#include <sqlite3.h>
#include <time.h>

/// Switches one of the boolean settings of `sqlite3_db_config`, which Swift cannot call because it is variadic.
static inline int csqlite_configure(sqlite3 *_Nonnull db, int setting, int on) {
    int result = 0;
    return sqlite3_db_config(db, setting, on, &result);
}

/// Binds text; SQLite copies the bytes. A null pointer is the empty text, never NULL.
static inline int csqlite_bind_text_copied(sqlite3_stmt *_Nonnull statement, int index,
                                           const void *_Nullable bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Binds text; the caller keeps the bytes alive until they are bound anew or cleared.
static inline int csqlite_bind_text_borrowed(sqlite3_stmt *_Nonnull statement, int index,
                                             const void *_Nullable bytes, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, bytes ? (const char *)bytes : "", count, SQLITE_STATIC, SQLITE_UTF8);
}

/// Binds a blob; SQLite copies the bytes. A null pointer is the empty blob, never NULL.
static inline int csqlite_bind_blob_copied(sqlite3_stmt *_Nonnull statement, int index,
                                           const void *_Nullable bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// Binds a blob; the caller keeps the bytes alive until they are bound anew or cleared.
static inline int csqlite_bind_blob_borrowed(sqlite3_stmt *_Nonnull statement, int index,
                                             const void *_Nullable bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes ? bytes : "", count, SQLITE_STATIC);
}

/// Makes text the result of a function; SQLite copies the bytes.
static inline void csqlite_result_text_copied(sqlite3_context *_Nonnull context, const void *_Nullable bytes,
                                              sqlite3_uint64 count) {
    sqlite3_result_text64(context, bytes ? (const char *)bytes : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

/// Makes a blob the result of a function; SQLite copies the bytes.
static inline void csqlite_result_blob_copied(sqlite3_context *_Nonnull context, const void *_Nullable bytes,
                                              sqlite3_uint64 count) {
    sqlite3_result_blob64(context, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

/// How many forks led to this process since the library was loaded: it tells a child from its parent without a call
/// to the system.
extern int csqlite_forks;
static inline int csqlite_process_generation(void) { return csqlite_forks; }

/// The number of whoever follows the executions of all statements of the process, 0 for nobody: one load for who asks.
extern int csqlite_watched;
static inline int csqlite_statement_watch(void) { return __atomic_load_n(&csqlite_watched, __ATOMIC_RELAXED); }
static inline void csqlite_set_statement_watch(int number) {
    __atomic_store_n(&csqlite_watched, number, __ATOMIC_SEQ_CST);
}

/// Nanoseconds of the clock that recordings have.
static inline unsigned long long csqlite_monotonic_time(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long long)now.tv_sec * 1000000000ull + (unsigned long long)now.tv_nsec;
}

/// Says whether the open file was renamed, deleted or replaced since; 0 where the file system cannot tell.
static inline int csqlite_has_moved(sqlite3 *_Nonnull db) {
    int moved = 0;
    return sqlite3_file_control(db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0;
}

/// Reads bytes of the file of the main database as the connection has it open; what lies beyond its end is zero.
static inline int csqlite_read_file(sqlite3 *_Nonnull db, void *_Nonnull bytes, int count, sqlite3_int64 offset) {
    sqlite3_file *file = 0;
    int code = sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (code != SQLITE_OK) return code;
    if (!file || !file->pMethods) return SQLITE_CANTOPEN;
    return file->pMethods->xRead(file, bytes, count, offset);
}

/// The size of the file of the main database; negative where it cannot be told.
static inline sqlite3_int64 csqlite_file_size(sqlite3 *_Nonnull db) {
    sqlite3_file *file = 0;
    sqlite3_int64 size = 0;
    if (sqlite3_file_control(db, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return -1;
    if (!file || !file->pMethods || file->pMethods->xFileSize(file, &size) != SQLITE_OK) return -1;
    return size;
}

/// The table that a column of a statement's result is read from; null where that is none, or the library cannot tell.
const char *_Nullable csqlite_column_table(sqlite3_stmt *_Nonnull statement, int index);

/// The column of that table.
const char *_Nullable csqlite_column_origin(sqlite3_stmt *_Nonnull statement, int index);

/// The bytes of the header with which the index of a write-ahead log begins.
#define CSQLITE_LOG_HEADER_SIZE 48

/// Copies the header of the log's index as it is now, which all connections to the file share; 0 where there is none.
///
/// For a connection that has read the file in write-ahead mode. SQLite writes the header twice, the second copy first, so
/// that equal copies are whole. Source: sqlite.org/walformat.html.
static inline int csqlite_log_header(sqlite3 *_Nonnull db, const char *_Nonnull schema, void *_Nonnull bytes) {
    sqlite3_file *file = 0;
    if (sqlite3_file_control(db, schema, SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
    if (!file || !file->pMethods || file->pMethods->iVersion < 2 || !file->pMethods->xShmMap) return 0;
    void volatile *region = 0;
    if (file->pMethods->xShmMap(file, 0, 32768, 0, &region) != SQLITE_OK || !region) return 0;
    for (int attempt = 0; attempt < 100; attempt++) {
        unsigned char copy[CSQLITE_LOG_HEADER_SIZE];
        __builtin_memcpy(bytes, (const void *)region, CSQLITE_LOG_HEADER_SIZE);
        __sync_synchronize();
        __builtin_memcpy(copy, (const char *)region + CSQLITE_LOG_HEADER_SIZE, CSQLITE_LOG_HEADER_SIZE);
        if (__builtin_memcmp(bytes, copy, CSQLITE_LOG_HEADER_SIZE) == 0) return 1;
    }
    return 0;
}

/// Gives a row's rank from how often each phrase of a full-text question stands in it and how many words it has.
typedef long long (*csqlite_rank)(const long long *_Nullable counts, int count, long long length);

/// Makes a ranking an auxiliary function of FTS5 for tables with one column.
int csqlite_register_rank(sqlite3 *_Nonnull db, const char *_Nonnull name, csqlite_rank _Nonnull rank);
