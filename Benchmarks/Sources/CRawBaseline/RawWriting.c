#include "CRawBaseline.h"
#include "RawStore.h"

#include <sqlite3.h>
#include <stddef.h>

enum { attribute_count = 10 };

/// Carries out one prepared statement for each row of a range, in a transaction of its own.
typedef int (*bind_row)(sqlite3_stmt *statement, int64_t row);

static int run_rows(sqlite3 *database, const char *sql, int64_t first, int64_t rows, bind_row bind) {
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    for (int64_t row = first; result == SQLITE_OK && row < first + rows; row++) {
        result = bind(statement, row);
        if (result == SQLITE_OK && sqlite3_step(statement) != SQLITE_DONE) break;
        if (result == SQLITE_OK) result = sqlite3_reset(statement);
        if (result == SQLITE_OK && sqlite3_changes(database) != 1) result = SQLITE_NOTFOUND;
    }
    int ended = sqlite3_finalize(statement);
    return result == SQLITE_OK ? ended : result;
}

static int bind_insertion(sqlite3_stmt *statement, int64_t row) {
    sqlite3_bind_int64(statement, 1, row);
    sqlite3_bind_int64(statement, 2, 1);
    sqlite3_bind_int64(statement, 3, 1);
    for (int attribute = 0; attribute < attribute_count; attribute++) {
        int result = sqlite3_bind_int64(statement, attribute + 4, (row * 31 + attribute * 7) % 1000003);
        if (result != SQLITE_OK) return result;
    }
    return SQLITE_OK;
}

static int bind_update(sqlite3_stmt *statement, int64_t row) {
    sqlite3_bind_int64(statement, 1, 2);
    sqlite3_bind_int64(statement, 2, row * 17);
    sqlite3_bind_int64(statement, 3, row);
    return sqlite3_bind_int64(statement, 4, 1);
}

static int bind_deletion(sqlite3_stmt *statement, int64_t row) {
    sqlite3_bind_int64(statement, 1, row);
    return sqlite3_bind_int64(statement, 2, 1);
}

/// One transaction, whose beginning and commit are part of the time.
static raw_writing timed(const char *path, const char *sql, int64_t first, int64_t rows, bind_row bind) {
    raw_writing outcome = {0};
    sqlite3 *database = NULL;
    outcome.error = raw_open_store(path, &database);
    if (outcome.error == SQLITE_OK) {
        double start = raw_now();
        outcome.error = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
        if (outcome.error == SQLITE_OK) outcome.error = run_rows(database, sql, first, rows, bind);
        if (outcome.error == SQLITE_OK && bind == bind_insertion) {
            outcome.error = sqlite3_exec(
                database, "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ZITEM) WHERE Z_NAME = 'Item'", NULL,
                NULL, NULL);
        }
        if (outcome.error == SQLITE_OK) outcome.error = sqlite3_exec(database, "COMMIT", NULL, NULL, NULL);
        outcome.seconds = raw_now() - start;
    }
    sqlite3_close(database);
    return outcome;
}

raw_writing raw_insert_items(const char *path, int64_t rows) {
    const char *sql = "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZA0, ZA1, ZA2, ZA3, ZA4, ZA5, ZA6, ZA7, ZA8, ZA9) "
                      "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
    return timed(path, sql, 1, rows, bind_insertion);
}

raw_writing raw_update_items(const char *path, int64_t rows) {
    return timed(path, "UPDATE ZITEM SET Z_OPT = ?, ZA0 = ? WHERE Z_PK = ? AND Z_OPT = ?", 1, rows, bind_update);
}

raw_writing raw_delete_items(const char *path, int64_t rows) {
    return timed(path, "DELETE FROM ZITEM WHERE Z_PK = ? AND Z_OPT = ?", 1, rows, bind_deletion);
}
