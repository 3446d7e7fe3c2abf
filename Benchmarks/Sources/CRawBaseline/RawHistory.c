#include "CRawBaseline.h"
#include "RawStore.h"

#include <sqlite3.h>
#include <stdlib.h>

enum { changes_each = 100 };

static int fill_changes(sqlite3 *database, int64_t transactions, sqlite3_stmt *transaction, sqlite3_stmt *change) {
    int result = SQLITE_OK;
    for (int64_t number = 1; result == SQLITE_OK && number <= transactions; number++) {
        sqlite3_bind_int64(transaction, 1, number);
        sqlite3_bind_double(transaction, 2, 700000000.0 + (double)number);
        if (sqlite3_step(transaction) != SQLITE_DONE) break;
        result = sqlite3_reset(transaction);
        for (int64_t place = 0; result == SQLITE_OK && place < changes_each; place++) {
            int64_t row = (number - 1) * changes_each + place + 1;
            // One insertion among five, and updates of two attributes out of ten.
            int is_update = row % 5 != 0;
            unsigned char columns[2] = {(unsigned char)(1 << (row % 7)), 0x40};
            sqlite3_bind_int64(change, 1, is_update);
            sqlite3_bind_int64(change, 2, row * 31 % 100003 + 1);
            sqlite3_bind_int64(change, 3, number);
            if (is_update) {
                sqlite3_bind_blob(change, 4, columns, sizeof(columns), SQLITE_TRANSIENT);
            } else {
                sqlite3_bind_null(change, 4);
            }
            if (sqlite3_step(change) != SQLITE_DONE) return sqlite3_errcode(database);
            result = sqlite3_reset(change);
        }
    }
    return result;
}

static int fill(sqlite3 *database, int64_t transactions) {
    const char *headers = "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (?, 16002, ?)";
    const char *changes = "INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) "
                          "VALUES (16001, ?, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item'), ?, ?, ?)";
    const char *keys = "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ACHANGE) WHERE Z_ENT = 16001; "
                       "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ATRANSACTION) WHERE Z_ENT = 16002; COMMIT";
    sqlite3_stmt *transaction = NULL, *change = NULL;
    int result = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (result == SQLITE_OK) result = sqlite3_prepare_v2(database, headers, -1, &transaction, NULL);
    if (result == SQLITE_OK) result = sqlite3_prepare_v2(database, changes, -1, &change, NULL);
    if (result == SQLITE_OK) result = fill_changes(database, transactions, transaction, change);
    sqlite3_finalize(transaction);
    sqlite3_finalize(change);
    return result == SQLITE_OK ? sqlite3_exec(database, keys, NULL, NULL, NULL) : result;
}

int raw_fill_history(const char *path, int64_t changes) {
    sqlite3 *database = NULL;
    int result = raw_open_store(path, &database);
    if (result == SQLITE_OK) result = fill(database, changes / changes_each);
    // Without this the rows would stay in the log, and reading them would measure the log.
    if (result == SQLITE_OK) result = sqlite3_exec(database, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
    sqlite3_close(database);
    return result;
}

typedef struct {
    int64_t key, kind, entity, row;
    /// The changed properties, one bit each.
    uint64_t properties;
} change;

static change decoded(sqlite3_stmt *statement) {
    change row = {
        .key = sqlite3_column_int64(statement, 0), .kind = sqlite3_column_int64(statement, 1),
        .entity = sqlite3_column_int64(statement, 2), .row = sqlite3_column_int64(statement, 3)};
    const unsigned char *bytes = sqlite3_column_blob(statement, 4);
    int count = sqlite3_column_bytes(statement, 4);
    for (int index = 0; index < count && index < 8; index++) row.properties |= (uint64_t)bytes[index] << (8 * index);
    return row;
}

/// Reads the changes of some transactions; gives how many they were, or -1.
static int64_t read_batch(sqlite3_stmt *statement, int64_t first, int64_t last, change *batch, int64_t capacity) {
    sqlite3_bind_int64(statement, 1, first);
    sqlite3_bind_int64(statement, 2, last);
    int64_t count = 0;
    int result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW && count < capacity) batch[count++] = decoded(statement);
    sqlite3_reset(statement);
    return result == SQLITE_DONE ? count : -1;
}

raw_result raw_read_history(const char *path, int64_t changes, int64_t batch_size) {
    raw_result outcome = {0};
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    int64_t each = batch_size / changes_each;
    change *batch = malloc((size_t)batch_size * sizeof(change));
    const char *sql = "SELECT Z_PK, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS FROM ACHANGE "
                      "WHERE ZTRANSACTIONID BETWEEN ? AND ? ORDER BY ZTRANSACTIONID, Z_PK";
    outcome.error = batch == NULL ? SQLITE_NOMEM : raw_open_store(path, &database);
    if (outcome.error == SQLITE_OK) {
        double start = raw_now();
        outcome.error = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
        for (int64_t number = 1; outcome.error == SQLITE_OK && number <= changes / changes_each; number += each) {
            int64_t count = read_batch(statement, number, number + each - 1, batch, batch_size);
            if (count < 0) outcome.error = SQLITE_ERROR;
            for (int64_t index = 0; index < count; index++) {
                outcome.sum += (uint64_t)(batch[index].key + batch[index].kind);
            }
            outcome.rows += count > 0 ? count : 0;
        }
        outcome.seconds = raw_now() - start;
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    free(batch);
    return outcome;
}
