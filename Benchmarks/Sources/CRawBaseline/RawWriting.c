#include "CRawBaseline.h"
#include "RawStore.h"

#include <sqlite3.h>
#include <stddef.h>
#include <stdlib.h>

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

static const char *const insertion =
    "INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZA0, ZA1, ZA2, ZA3, ZA4, ZA5, ZA6, ZA7, ZA8, ZA9) "
    "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

raw_writing raw_insert_items(const char *path, int64_t rows) {
    return timed(path, insertion, 1, rows, bind_insertion);
}

typedef struct {
    int64_t columns[3 + attribute_count];
} held_item;

static int insert_held(sqlite3 *database, const char *sql, const held_item *items, int64_t rows) {
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (result == SQLITE_OK) result = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    for (int64_t row = 0; result == SQLITE_OK && row < rows; row++) {
        for (int column = 0; column < 3 + attribute_count; column++) {
            sqlite3_bind_int64(statement, column + 1, items[row].columns[column]);
        }
        if (sqlite3_step(statement) != SQLITE_DONE) break;
        result = sqlite3_reset(statement);
    }
    int ended = sqlite3_finalize(statement);
    if (result == SQLITE_OK) result = ended;
    return result == SQLITE_OK ? sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) : result;
}

raw_writing raw_insert_held_items(const char *path, int64_t rows) {
    raw_writing outcome = {0};
    sqlite3 *database = NULL;
    held_item *items = calloc((size_t)rows, sizeof(held_item));
    outcome.error = items == NULL ? SQLITE_NOMEM : raw_open_store(path, &database);
    double start = raw_now();
    for (int64_t row = 0; items != NULL && row < rows; row++) {
        items[row].columns[0] = row + 1;
        items[row].columns[1] = items[row].columns[2] = 1;
        for (int attribute = 0; attribute < attribute_count; attribute++) {
            items[row].columns[3 + attribute] = ((row + 1) * 31 + attribute * 7) % 1000003;
        }
    }
    if (outcome.error == SQLITE_OK) outcome.error = insert_held(database, insertion, items, rows);
    outcome.seconds = raw_now() - start;
    free(items);
    sqlite3_close(database);
    return outcome;
}

raw_writing raw_update_items(const char *path, int64_t rows) {
    return timed(path, "UPDATE ZITEM SET Z_OPT = ?, ZA0 = ? WHERE Z_PK = ? AND Z_OPT = ?", 1, rows, bind_update);
}

raw_writing raw_delete_items(const char *path, int64_t rows) {
    return timed(path, "DELETE FROM ZITEM WHERE Z_PK = ? AND Z_OPT = ?", 1, rows, bind_deletion);
}

raw_writing raw_add_column(const char *path) {
    raw_writing outcome = {0};
    sqlite3 *database = NULL;
    outcome.error = raw_open_store(path, &database);
    double start = raw_now();
    const char *sql = "PRAGMA synchronous = FULL; BEGIN IMMEDIATE; ALTER TABLE ZITEM ADD COLUMN ZEXTRA INTEGER;"
                      "UPDATE ZITEM SET ZEXTRA = 7; COMMIT";
    if (outcome.error == SQLITE_OK) outcome.error = sqlite3_exec(database, sql, NULL, NULL, NULL);
    sqlite3_close(database);
    outcome.seconds = raw_now() - start;
    return outcome;
}

static int save_one(sqlite3 *database, sqlite3_stmt *statement, int64_t key, int64_t version, int64_t value) {
    int result = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    if (result != SQLITE_OK) return result;
    sqlite3_bind_int64(statement, 1, version + 1);
    sqlite3_bind_int64(statement, 2, value);
    sqlite3_bind_int64(statement, 3, key);
    sqlite3_bind_int64(statement, 4, version);
    int stepped = sqlite3_step(statement);
    result = sqlite3_reset(statement);
    if (result == SQLITE_OK && (stepped != SQLITE_DONE || sqlite3_changes(database) != 1)) return SQLITE_NOTFOUND;
    return result == SQLITE_OK ? sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) : result;
}

raw_writing raw_save_items(const char *path, int64_t count, int64_t rows, const char *synchronous) {
    raw_writing outcome = {0};
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    char pragma[64];
    sqlite3_snprintf(sizeof pragma, pragma, "PRAGMA synchronous = %s", synchronous);
    outcome.error = raw_open_store(path, &database);
    if (outcome.error == SQLITE_OK) outcome.error = sqlite3_exec(database, pragma, NULL, NULL, NULL);
    double start = raw_now();
    const char *sql = "UPDATE ZITEM SET Z_OPT = ?, ZA0 = ? WHERE Z_PK = ? AND Z_OPT = ?";
    if (outcome.error == SQLITE_OK) outcome.error = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    for (int64_t number = 0; outcome.error == SQLITE_OK && number < count; number++) {
        outcome.error = save_one(database, statement, number % rows + 1, number / rows + 1, number * 17 + 5);
    }
    outcome.seconds = raw_now() - start;
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return outcome;
}

static int bind_person(sqlite3_stmt *statement, int64_t row) {
    char name[32];
    int64_t number = row - 1;
    sqlite3_snprintf(sizeof name, name, "Name %lld", (long long)number);
    sqlite3_bind_int64(statement, 1, row);
    sqlite3_bind_int64(statement, 2, number % 90);
    sqlite3_bind_double(statement, 3, 1 + (double)(number % 1000) / 1000);
    sqlite3_bind_text(statement, 4, name, -1, SQLITE_TRANSIENT);
    return sqlite3_bind_int64(statement, 5, number * 31 % 1009);
}

raw_writing raw_insert_people(const char *path, int64_t rows) {
    const char *sql = "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZAGE, ZHEIGHT, ZNAME, ZRANK) VALUES (?, 1, 1, ?, ?, ?, ?)";
    return timed(path, sql, 1, rows, bind_person);
}

/// The code of a row as the library's workload has it: from the second batch on every tenth row repeats an earlier one.
static int64_t entry_code(int64_t row, int64_t batch, int64_t factor) {
    if (row >= batch && row % 10 == 9) row = row / 20 * 10 + row / 10 % 2;
    return row * factor % 4294967296;
}

static int upsert_rows(sqlite3 *database, sqlite3_stmt *statement, int64_t first, int64_t end, int64_t batch,
                       int64_t factor) {
    int result = sqlite3_exec(database, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    for (int64_t row = first; result == SQLITE_OK && row < end; row++) {
        sqlite3_bind_int64(statement, 1, row + 1);
        sqlite3_bind_int64(statement, 2, entry_code(row, batch, factor));
        sqlite3_bind_int64(statement, 3, row);
        int stepped = sqlite3_step(statement);
        result = sqlite3_reset(statement);
        if (result == SQLITE_OK && stepped != SQLITE_DONE) result = SQLITE_ERROR;
    }
    if (result == SQLITE_OK) {
        result = sqlite3_exec(
            database, "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT max(Z_PK) FROM ZENTRY) WHERE Z_NAME = 'Entry'", NULL, NULL,
            NULL);
    }
    return result == SQLITE_OK ? sqlite3_exec(database, "COMMIT", NULL, NULL, NULL) : result;
}

raw_writing raw_upsert_entries(const char *path, int64_t rows, int64_t batch, int64_t factor, double *seconds) {
    const char *sql = "INSERT INTO ZENTRY (Z_PK, Z_ENT, Z_OPT, ZCODE, ZVALUE) VALUES (?, 1, 1, ?, ?) "
                      "ON CONFLICT (ZCODE) DO UPDATE SET ZVALUE = excluded.ZVALUE, Z_OPT = Z_OPT + 1";
    raw_writing outcome = {0};
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    outcome.error = raw_open_store(path, &database);
    double start = raw_now();
    if (outcome.error == SQLITE_OK) outcome.error = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    for (int64_t first = 0; outcome.error == SQLITE_OK && first < rows; first += batch) {
        int64_t end = first + batch < rows ? first + batch : rows;
        double began = raw_now();
        outcome.error = upsert_rows(database, statement, first, end, batch, factor);
        seconds[first / batch] = raw_now() - began;
    }
    outcome.seconds = raw_now() - start;
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return outcome;
}
