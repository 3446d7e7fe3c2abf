#define _GNU_SOURCE
#include "CRawBaseline.h"
#include "RawStore.h"

#include <malloc.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <time.h>

enum { attribute_count = 10, column_count = 13 };

typedef struct {
    int64_t columns[column_count];
} item;

double raw_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int64_t raw_allocated_bytes(void) {
    struct mallinfo2 info = mallinfo2();
    return (int64_t)(info.uordblks + info.hblkhd);
}

const char *raw_sqlite_version(void) { return sqlite3_libversion(); }

int raw_open_store(const char *path, sqlite3 **database) {
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    int result = sqlite3_open_v2(path, database, flags, NULL);
    if (result != SQLITE_OK) return result;
    // The first connection to a file in WAL mode sets the log up, and others that are opened meanwhile find it locked.
    sqlite3_busy_timeout(*database, 10000);
    return sqlite3_exec(*database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL, NULL, NULL);
}

/// Whether the library has made the file; a file that C made alone has no list of entities.
static int has_entities(sqlite3 *database) {
    sqlite3_stmt *statement = NULL;
    const char *sql = "SELECT 1 FROM sqlite_master WHERE name = 'Z_PRIMARYKEY'";
    int found = sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK && sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    return found;
}

static int insert_items(sqlite3 *database, const char *sql, int64_t rows) {
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    for (int64_t row = 1; result == SQLITE_OK && row <= rows; row++) {
        for (int attribute = 0; attribute < attribute_count; attribute++) {
            sqlite3_bind_int64(statement, attribute + 1, (row * 31 + attribute * 7) % 1000003);
        }
        if (sqlite3_step(statement) != SQLITE_DONE) break;
        result = sqlite3_reset(statement);
    }
    int ended = sqlite3_finalize(statement);
    return result == SQLITE_OK ? ended : result;
}

static int fill(sqlite3 *database, int64_t rows) {
    const char *create = "BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, "
                         "Z_OPT INTEGER, ZA0 INTEGER, ZA1 INTEGER, ZA2 INTEGER, ZA3 INTEGER, ZA4 INTEGER, ZA5 INTEGER, "
                         "ZA6 INTEGER, ZA7 INTEGER, ZA8 INTEGER, ZA9 INTEGER )";
    int result = sqlite3_exec(database, create, NULL, NULL, NULL);
    if (result != SQLITE_OK) return result;

    const char *alone = "INSERT INTO ZITEM (Z_ENT, Z_OPT, ZA0, ZA1, ZA2, ZA3, ZA4, ZA5, ZA6, ZA7, ZA8, ZA9) "
                        "VALUES (1, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    const char *in_store = "INSERT INTO ZITEM (Z_ENT, Z_OPT, ZA0, ZA1, ZA2, ZA3, ZA4, ZA5, ZA6, ZA7, ZA8, ZA9) "
                           "VALUES ((SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'), 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    int of_library = has_entities(database);
    result = insert_items(database, of_library ? in_store : alone, rows);
    if (result == SQLITE_OK && of_library) {
        const char *keys = "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ZITEM) WHERE Z_NAME = 'Item'";
        result = sqlite3_exec(database, keys, NULL, NULL, NULL);
    }
    return result == SQLITE_OK ? sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) : result;
}

int raw_fill_items(const char *path, int64_t rows) {
    sqlite3 *database = NULL;
    int result = raw_open_store(path, &database);
    if (result == SQLITE_OK) result = fill(database, rows);
    // Without this the rows would stay in the log, and reading them would measure the log.
    if (result == SQLITE_OK) result = sqlite3_exec(database, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
    sqlite3_close(database);
    return result;
}

/// An array that grows as a C programmer would let it grow, by doubling.
typedef struct {
    item *items;
    int64_t count, capacity;
} item_array;

static item *append(item_array *array) {
    if (array->count == array->capacity) {
        int64_t capacity = array->capacity > 0 ? array->capacity * 2 : 1024;
        item *items = realloc(array->items, (size_t)capacity * sizeof(item));
        if (items == NULL) return NULL;
        array->items = items;
        array->capacity = capacity;
    }
    return &array->items[array->count++];
}

static int fetch(sqlite3 *database, item_array *array) {
    sqlite3_stmt *statement = NULL;
    const char *sql = "SELECT Z_PK, Z_ENT, Z_OPT, ZA0, ZA1, ZA2, ZA3, ZA4, ZA5, ZA6, ZA7, ZA8, ZA9 FROM ZITEM";
    int result = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    if (result != SQLITE_OK) return result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        item *row = append(array);
        if (row == NULL) {
            result = SQLITE_NOMEM;
            break;
        }
        for (int column = 0; column < column_count; column++) row->columns[column] = sqlite3_column_int64(statement, column);
    }
    sqlite3_finalize(statement);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

raw_result raw_fetch_items(const char *path) {
    raw_result outcome = {0};
    item_array array = {0};
    sqlite3 *database = NULL;
    outcome.error = raw_open_store(path, &database);
    if (outcome.error == SQLITE_OK) {
        double start = raw_now();
        outcome.error = fetch(database, &array);
        outcome.seconds = raw_now() - start;
    }
    outcome.rows = array.count;
    outcome.bytes = array.capacity * (int64_t)sizeof(item);
    for (int64_t row = 0; row < array.count; row++) {
        for (int column = column_count - attribute_count; column < column_count; column++) {
            outcome.sum += (uint64_t)array.items[row].columns[column];
        }
    }
    free(array.items);
    sqlite3_close(database);
    return outcome;
}

typedef struct {
    int64_t columns[3];
} value_row;

static int fetch_values(sqlite3 *database, value_row **rows, int64_t *count, int64_t *capacity) {
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(database, "SELECT ZA0, ZA1, ZA2 FROM ZITEM", -1, &statement, NULL);
    if (result != SQLITE_OK) return result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        if (*count == *capacity) {
            int64_t wanted = *capacity > 0 ? *capacity * 2 : 1024;
            value_row *larger = realloc(*rows, (size_t)wanted * sizeof(value_row));
            if (larger == NULL) {
                result = SQLITE_NOMEM;
                break;
            }
            *rows = larger;
            *capacity = wanted;
        }
        for (int column = 0; column < 3; column++) (*rows)[*count].columns[column] = sqlite3_column_int64(statement, column);
        *count += 1;
    }
    sqlite3_finalize(statement);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

raw_result raw_fetch_values(const char *path) {
    raw_result outcome = {0};
    value_row *rows = NULL;
    int64_t capacity = 0;
    sqlite3 *database = NULL;
    outcome.error = raw_open_store(path, &database);
    if (outcome.error == SQLITE_OK) {
        double start = raw_now();
        outcome.error = fetch_values(database, &rows, &outcome.rows, &capacity);
        outcome.seconds = raw_now() - start;
    }
    outcome.bytes = capacity * (int64_t)sizeof(value_row);
    for (int64_t row = 0; row < outcome.rows; row++) {
        for (int column = 0; column < 3; column++) outcome.sum += (uint64_t)rows[row].columns[column];
    }
    free(rows);
    sqlite3_close(database);
    return outcome;
}

/// Reads the first column of each row of a query into an array that grows.
static int scan_keys(sqlite3 *database, const char *query, int64_t **keys, int64_t *count, int64_t *capacity) {
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(database, query, -1, &statement, NULL);
    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = sqlite3_step(statement);
        if (result != SQLITE_ROW) break;
        if (*count == *capacity) {
            int64_t wanted = *capacity > 0 ? *capacity * 2 : 1024;
            int64_t *grown = realloc(*keys, (size_t)wanted * sizeof(int64_t));
            if (grown == NULL) {
                result = SQLITE_NOMEM;
                break;
            }
            *keys = grown;
            *capacity = wanted;
        }
        (*keys)[(*count)++] = sqlite3_column_int64(statement, 0);
    }
    sqlite3_finalize(statement);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

raw_result raw_scan_keys(const char *path, const char *query) {
    raw_result outcome = {0};
    int64_t *keys = NULL;
    int64_t capacity = 0;
    sqlite3 *database = NULL;
    outcome.error = raw_open_store(path, &database);
    if (outcome.error == SQLITE_OK) {
        double start = raw_now();
        outcome.error = scan_keys(database, query, &keys, &outcome.rows, &capacity);
        outcome.seconds = raw_now() - start;
    }
    outcome.bytes = capacity * (int64_t)sizeof(int64_t);
    for (int64_t row = 0; row < outcome.rows; row++) outcome.sum += (uint64_t)keys[row];
    free(keys);
    sqlite3_close(database);
    return outcome;
}
