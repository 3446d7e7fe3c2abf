#include "CRawBaseline.h"
#include "RawStore.h"

#include <sqlite3.h>
#include <stddef.h>

enum { kind_inserted = 0, kind_updated = 1 };

/// Writes a transaction of the history with the changes of the items from 1 on, within a transaction of the file.
static int record(sqlite3 *database, int64_t transaction, int64_t first, int64_t item, int64_t rows, int kind,
                  sqlite3_stmt *header, sqlite3_stmt *change) {
    sqlite3_bind_int64(header, 1, transaction);
    sqlite3_bind_double(header, 2, 700000000.0 + (double)transaction);
    sqlite3_step(header);
    int result = sqlite3_reset(header);
    static const unsigned char columns[2] = {0x40, 0};
    for (int64_t row = 0; result == SQLITE_OK && row < rows; row++) {
        sqlite3_bind_int64(change, 1, first + row);
        sqlite3_bind_int64(change, 2, kind);
        sqlite3_bind_int64(change, 3, item + row);
        sqlite3_bind_int64(change, 4, transaction);
        if (kind == kind_updated) sqlite3_bind_blob(change, 5, columns, sizeof columns, SQLITE_STATIC);
        sqlite3_step(change);
        result = sqlite3_reset(change);
    }
    return result;
}

static int prepare_records(sqlite3 *database, sqlite3_stmt **header, sqlite3_stmt **change, sqlite3_stmt **keys) {
    int result = sqlite3_prepare_v2(database,
        "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP) "
        "VALUES (?, 16002, NULL, NULL, NULL, 1, ?)", -1, header, NULL);
    if (result == SQLITE_OK) result = sqlite3_prepare_v2(database,
        "INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) "
        "VALUES (?, 16001, ?, 1, ?, ?, ?)", -1, change, NULL);
    if (result == SQLITE_OK) result = sqlite3_prepare_v2(database,
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", -1, keys, NULL);
    return result;
}

static int record_keys(sqlite3_stmt *keys, int64_t change, int64_t transaction) {
    sqlite3_bind_int64(keys, 1, change);
    sqlite3_bind_int64(keys, 2, 16001);
    sqlite3_step(keys);
    int result = sqlite3_reset(keys);
    sqlite3_bind_int64(keys, 1, transaction);
    sqlite3_bind_int64(keys, 2, 16002);
    sqlite3_step(keys);
    return result == SQLITE_OK ? sqlite3_reset(keys) : result;
}

static int insert_rows(sqlite3 *database, int64_t rows) {
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(database,
        "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZA0, ZA1) VALUES (?, 1, 1, ?, ?)", -1, &statement, NULL);
    for (int64_t row = 1; result == SQLITE_OK && row <= rows; row++) {
        sqlite3_bind_int64(statement, 1, row);
        sqlite3_bind_int64(statement, 2, row - 1);
        sqlite3_bind_int64(statement, 3, row - 1);
        sqlite3_step(statement);
        result = sqlite3_reset(statement);
    }
    sqlite3_finalize(statement);
    return result == SQLITE_OK
        ? sqlite3_exec(database, "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ZITEM) WHERE Z_NAME = 'Item'",
                       NULL, NULL, NULL)
        : result;
}

/// Changes the items by one piece of work in one transaction, and records it where that is wanted.
static raw_writing recorded(const char *path, int64_t rows, int kind, int with_history) {
    raw_writing outcome = {0};
    sqlite3 *database = NULL;
    sqlite3_stmt *header = NULL, *change = NULL, *keys = NULL;
    outcome.error = raw_open_store(path, &database);
    double start = raw_now();
    if (outcome.error == SQLITE_OK) outcome.error = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (outcome.error == SQLITE_OK) {
        outcome.error = kind == kind_inserted
            ? insert_rows(database, rows)
            : sqlite3_exec(database, "UPDATE ZITEM SET Z_OPT = Z_OPT + 1, ZA1 = -1", NULL, NULL, NULL);
    }
    if (outcome.error == SQLITE_OK && with_history) {
        outcome.error = prepare_records(database, &header, &change, &keys);
        if (outcome.error == SQLITE_OK) outcome.error = record(database, 1, 1, 1, rows, kind, header, change);
        if (outcome.error == SQLITE_OK) outcome.error = record_keys(keys, rows, 1);
    }
    if (outcome.error == SQLITE_OK) outcome.error = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
    outcome.seconds = raw_now() - start;
    sqlite3_finalize(header);
    sqlite3_finalize(change);
    sqlite3_finalize(keys);
    sqlite3_close(database);
    return outcome;
}

raw_writing raw_insert_recorded(const char *path, int64_t rows, int with_history) {
    return recorded(path, rows, kind_inserted, with_history);
}

raw_writing raw_update_recorded(const char *path, int64_t rows, int with_history) {
    return recorded(path, rows, kind_updated, with_history);
}

static int save_recorded(sqlite3 *database, sqlite3_stmt *update, int64_t item, int64_t number, sqlite3_stmt *header,
                         sqlite3_stmt *change, sqlite3_stmt *keys) {
    int result = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    sqlite3_bind_int64(update, 1, 2000000 + number);
    sqlite3_bind_int64(update, 2, item);
    sqlite3_step(update);
    if (result == SQLITE_OK) result = sqlite3_reset(update);
    if (result == SQLITE_OK) result = record(database, number, number, item, 1, kind_updated, header, change);
    if (result == SQLITE_OK) result = record_keys(keys, number, number);
    return result == SQLITE_OK ? sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) : result;
}

raw_writing raw_save_recorded(const char *path, int64_t count, int64_t rows, const char *synchronous) {
    raw_writing outcome = {0};
    sqlite3 *database = NULL;
    sqlite3_stmt *update = NULL, *header = NULL, *change = NULL, *keys = NULL;
    char pragma[64];
    sqlite3_snprintf(sizeof pragma, pragma, "PRAGMA synchronous = %s", synchronous);
    outcome.error = raw_open_store(path, &database);
    if (outcome.error == SQLITE_OK) outcome.error = sqlite3_exec(database, pragma, NULL, NULL, NULL);
    double start = raw_now();
    if (outcome.error == SQLITE_OK) outcome.error = sqlite3_prepare_v2(
        database, "UPDATE ZITEM SET Z_OPT = Z_OPT + 1, ZA3 = ? WHERE Z_PK = ?", -1, &update, NULL);
    if (outcome.error == SQLITE_OK) outcome.error = prepare_records(database, &header, &change, &keys);
    for (int64_t number = 1; outcome.error == SQLITE_OK && number <= count; number++) {
        outcome.error = save_recorded(database, update, (number - 1) % rows + 1, number, header, change, keys);
    }
    outcome.seconds = raw_now() - start;
    sqlite3_finalize(update);
    sqlite3_finalize(header);
    sqlite3_finalize(change);
    sqlite3_finalize(keys);
    sqlite3_close(database);
    return outcome;
}
