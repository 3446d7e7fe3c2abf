#include "CRawBaseline.h"
#include "RawStore.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { text_count = 4, number_count = 4, date_count = 2 };

typedef struct {
    int64_t key, version;
    char *texts[text_count];
    int64_t numbers[number_count];
    double dates[date_count];
} note;

/// Elements of any size in a block that doubles.
typedef struct {
    char *bytes;
    int64_t count, capacity;
    size_t size;
} growing;

static void *append(growing *array) {
    if (array->count == array->capacity) {
        int64_t capacity = array->capacity > 0 ? array->capacity * 2 : 1024;
        char *bytes = realloc(array->bytes, (size_t)capacity * array->size);
        if (bytes == NULL) return NULL;
        array->bytes = bytes;
        array->capacity = capacity;
    }
    return array->bytes + (size_t)array->count++ * array->size;
}

static char *copied_text(sqlite3_stmt *statement, int column) {
    const unsigned char *text = sqlite3_column_text(statement, column);
    size_t length = (size_t)sqlite3_column_bytes(statement, column);
    char *copy = text == NULL ? NULL : malloc(length + 1);
    if (copy != NULL) memcpy(copy, text, length + 1);
    return copy;
}

static int fetch_notes(sqlite3 *database, growing *notes) {
    sqlite3_stmt *statement = NULL;
    const char *sql = "SELECT Z_PK, Z_OPT, ZTEXT0, ZTEXT1, ZTEXT2, ZTEXT3, ZNUMBER0, ZNUMBER1, ZNUMBER2, ZNUMBER3, "
                      "ZDATE0, ZDATE1 FROM ZNOTE";
    int result = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    if (result != SQLITE_OK) return result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        note *row = append(notes);
        if (row == NULL) {
            result = SQLITE_NOMEM;
            break;
        }
        row->key = sqlite3_column_int64(statement, 0);
        row->version = sqlite3_column_int64(statement, 1);
        for (int text = 0; text < text_count; text++) row->texts[text] = copied_text(statement, 2 + text);
        for (int number = 0; number < number_count; number++) {
            row->numbers[number] = sqlite3_column_int64(statement, 2 + text_count + number);
        }
        for (int date = 0; date < date_count; date++) {
            row->dates[date] = sqlite3_column_double(statement, 2 + text_count + number_count + date);
        }
    }
    sqlite3_finalize(statement);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

static uint64_t sum_of(const note *row) {
    uint64_t sum = 0;
    for (int text = 0; text < text_count; text++) sum += row->texts[text] == NULL ? 0 : strlen(row->texts[text]);
    for (int number = 0; number < number_count; number++) sum += (uint64_t)row->numbers[number];
    for (int date = 0; date < date_count; date++) sum += (uint64_t)row->dates[date];
    return sum;
}

raw_result raw_fetch_notes(const char *path) {
    raw_result outcome = {0};
    growing notes = {.size = sizeof(note)};
    sqlite3 *database = NULL;
    outcome.error = raw_open_store(path, &database);
    if (outcome.error == SQLITE_OK) {
        double start = raw_now();
        outcome.error = fetch_notes(database, &notes);
        for (int64_t row = 0; row < notes.count; row++) outcome.sum += sum_of((note *)notes.bytes + row);
        outcome.seconds = raw_now() - start;
    }
    outcome.rows = notes.count;
    outcome.bytes = notes.capacity * (int64_t)notes.size;
    for (int64_t row = 0; row < notes.count; row++) {
        for (int text = 0; text < text_count; text++) free(((note *)notes.bytes)[row].texts[text]);
    }
    free(notes.bytes);
    sqlite3_close(database);
    return outcome;
}

typedef struct {
    int64_t key, value;
} member;

static int fetch_members(sqlite3 *database, const char *query, int64_t owners, growing *members) {
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(database, query, -1, &statement, NULL);
    for (int64_t owner = 1; result == SQLITE_OK && owner <= owners; owner++) {
        sqlite3_bind_int64(statement, 1, owner);
        int stepped;
        while ((stepped = sqlite3_step(statement)) == SQLITE_ROW) {
            member *row = append(members);
            if (row == NULL) break;
            row->key = sqlite3_column_int64(statement, 0);
            row->value = sqlite3_column_int64(statement, 1);
        }
        result = sqlite3_reset(statement);
        if (result == SQLITE_OK && stepped != SQLITE_DONE) result = SQLITE_NOMEM;
    }
    int ended = sqlite3_finalize(statement);
    return result == SQLITE_OK ? ended : result;
}

raw_result raw_fetch_members(const char *path, const char *query, int64_t owners) {
    raw_result outcome = {0};
    growing members = {.size = sizeof(member)};
    sqlite3 *database = NULL;
    outcome.error = raw_open_store(path, &database);
    if (outcome.error == SQLITE_OK) {
        double start = raw_now();
        outcome.error = fetch_members(database, query, owners, &members);
        for (int64_t row = 0; row < members.count; row++) outcome.sum += (uint64_t)((member *)members.bytes)[row].value;
        outcome.seconds = raw_now() - start;
    }
    outcome.rows = members.count;
    outcome.bytes = members.capacity * (int64_t)members.size;
    free(members.bytes);
    sqlite3_close(database);
    return outcome;
}

typedef struct {
    int64_t columns[13];
} ranged_item;

static int fetch_range(sqlite3_stmt *statement, int64_t bound, int64_t width, growing *items) {
    sqlite3_bind_int64(statement, 1, bound);
    sqlite3_bind_int64(statement, 2, bound + width);
    int stepped;
    while ((stepped = sqlite3_step(statement)) == SQLITE_ROW) {
        ranged_item *row = append(items);
        if (row == NULL) break;
        for (int column = 0; column < 13; column++) row->columns[column] = sqlite3_column_int64(statement, column);
    }
    int result = sqlite3_reset(statement);
    return result == SQLITE_OK && stepped != SQLITE_DONE ? SQLITE_NOMEM : result;
}

raw_result raw_fetch_ranges(const char *path, const int64_t *bounds, int64_t count, int64_t width, int64_t limit) {
    raw_result outcome = {0};
    growing items = {.size = sizeof(ranged_item)};
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    outcome.error = raw_open_store(path, &database);
    double start = raw_now();
    const char *sql = "SELECT Z_PK, Z_ENT, Z_OPT, ZA0, ZA1, ZA2, ZA3, ZA4, ZA5, ZA6, ZA7, ZA8, ZA9 FROM ZITEM "
                      "WHERE ZA0 >= ? AND ZA0 < ? ORDER BY ZA0 LIMIT ?";
    if (outcome.error == SQLITE_OK) outcome.error = sqlite3_prepare_v2(database, sql, -1, &statement, NULL);
    if (outcome.error == SQLITE_OK) outcome.error = sqlite3_bind_int64(statement, 3, limit);
    for (int64_t range = 0; outcome.error == SQLITE_OK && range < count; range++) {
        outcome.error = fetch_range(statement, bounds[range], width, &items);
    }
    const ranged_item *found = (ranged_item *)items.bytes;
    for (int64_t row = 0; row < items.count; row++) outcome.sum += (uint64_t)found[row].columns[3];
    outcome.seconds = raw_now() - start;
    outcome.rows = items.count;
    outcome.bytes = items.capacity * (int64_t)items.size;
    free(items.bytes);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return outcome;
}

int raw_read_text(const char *path, const char *query, char *text, int size) {
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    int result = raw_open_store(path, &database);
    if (result == SQLITE_OK) result = sqlite3_prepare_v2(database, query, -1, &statement, NULL);
    if (result == SQLITE_OK) {
        if (sqlite3_step(statement) == SQLITE_ROW) {
            snprintf(text, (size_t)size, "%s", (const char *)sqlite3_column_text(statement, 0));
        } else {
            result = SQLITE_NOTFOUND;
        }
    }
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return result;
}
