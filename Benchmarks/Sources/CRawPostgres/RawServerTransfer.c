#include "RawServer.h"
#include <endian.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { columns = 13, row_size = 2 + columns * 12 };

#define COLUMNS "z_pk, z_ent, z_opt, za0, za1, za2, za3, za4, za5, za6, za7, za8, za9"

/// A connection to a server and a file, and the one statement of the file.
typedef struct {
    PGconn *connection;
    sqlite3 *file;
    sqlite3_stmt *statement;
    raw_server_result *result;
} transfer;

static int failed(transfer *self) {
    if (self->file && sqlite3_errcode(self->file) != SQLITE_OK && !self->result->failed) {
        self->result->failed = 1;
        snprintf(self->result->message, sizeof self->result->message, "%s", sqlite3_errmsg(self->file));
    }
    raw_server_fail(self->connection, self->result);
    return 0;
}

static int begin_copy(transfer *self, const char *sql, ExecStatusType expected) {
    PGresult *answer = PQexec(self->connection, sql);
    ExecStatusType status = PQresultStatus(answer);
    PQclear(answer);
    return status == expected ? 1 : failed(self);
}

static int end_copy(transfer *self) {
    PGresult *answer = PQgetResult(self->connection);
    ExecStatusType status = PQresultStatus(answer);
    PQclear(answer);
    while ((answer = PQgetResult(self->connection))) PQclear(answer);
    return status == PGRES_COMMAND_OK ? 1 : failed(self);
}

/// The present row of the statement in the binary form of COPY.
static void put_row(transfer *self, unsigned char *place) {
    uint16_t count = htobe16(columns);
    uint32_t length = htobe32(8);
    memcpy(place, &count, 2);
    for (int column = 0; column < columns; column++) {
        uint64_t value = htobe64((uint64_t)sqlite3_column_int64(self->statement, column));
        memcpy(place + 2 + column * 12, &length, 4);
        memcpy(place + 6 + column * 12, &value, 8);
    }
}

static int send_rows(transfer *self, const char *schema) {
    static const char header[] = "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0";
    static unsigned char buffer[400 * row_size];
    char sql[300];
    snprintf(sql, sizeof sql, "COPY \"%s\".zitem (" COLUMNS ") FROM STDIN (FORMAT binary)", schema);
    if (!begin_copy(self, sql, PGRES_COPY_IN)) return 0;
    int works = PQputCopyData(self->connection, header, 19) == 1, used = 0, step;
    while (works && (step = sqlite3_step(self->statement)) == SQLITE_ROW) {
        put_row(self, buffer + used);
        used += row_size;
        self->result->rows++;
        if (used == sizeof buffer) {
            works = PQputCopyData(self->connection, (char *)buffer, used) == 1;
            used = 0;
        }
    }
    works = works && step == SQLITE_DONE && PQputCopyData(self->connection, (char *)buffer, used) == 1 &&
            PQputCopyData(self->connection, "\377\377", 2) == 1 && PQputCopyEnd(self->connection, NULL) == 1;
    return works ? end_copy(self) : failed(self);
}

static int receive_rows(transfer *self, const char *schema) {
    char sql[300];
    snprintf(sql, sizeof sql, "COPY (SELECT " COLUMNS " FROM \"%s\".zitem ORDER BY z_pk) TO STDOUT (FORMAT binary)",
             schema);
    if (!begin_copy(self, sql, PGRES_COPY_OUT)) return 0;
    char *bytes;
    int length, skipped = 19, works = 1;
    while (works && (length = PQgetCopyData(self->connection, &bytes, 0)) > 0) {
        if (length - skipped == row_size) {
            for (int column = 0; column < columns; column++) {
                uint64_t value;
                memcpy(&value, bytes + skipped + 6 + column * 12, 8);
                sqlite3_bind_int64(self->statement, column + 1, (sqlite3_int64)be64toh(value));
            }
            works = sqlite3_step(self->statement) == SQLITE_DONE && sqlite3_reset(self->statement) == SQLITE_OK;
            self->result->rows++;
        }
        skipped = 0;
        PQfreemem(bytes);
    }
    return works && length == -1 ? end_copy(self) : failed(self);
}

static int there(transfer *self, const char *schema) {
    char sql[600];
    snprintf(sql, sizeof sql,
             "CREATE SCHEMA \"%s\"; CREATE TABLE \"%s\".zitem (z_pk bigint PRIMARY KEY, z_ent bigint, z_opt bigint, "
             "za0 bigint, za1 bigint, za2 bigint, za3 bigint, za4 bigint, za5 bigint, za6 bigint, za7 bigint, "
             "za8 bigint, za9 bigint)",
             schema, schema);
    if (!raw_server_run(self->connection, "BEGIN", self->result) ||
        !raw_server_run(self->connection, sql, self->result))
        return 0;
    if (sqlite3_prepare_v2(self->file, "SELECT " COLUMNS " FROM zitem ORDER BY z_pk", -1, &self->statement, NULL))
        return failed(self);
    return send_rows(self, schema) && raw_server_run(self->connection, "COMMIT", self->result);
}

static int back(transfer *self, const char *schema) {
    const char *sql = "BEGIN; CREATE TABLE ZITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZA0 INTEGER, "
                      "ZA1 INTEGER, ZA2 INTEGER, ZA3 INTEGER, ZA4 INTEGER, ZA5 INTEGER, ZA6 INTEGER, ZA7 INTEGER, "
                      "ZA8 INTEGER, ZA9 INTEGER)";
    if (sqlite3_exec(self->file, sql, NULL, NULL, NULL) ||
        sqlite3_prepare_v2(self->file, "INSERT INTO ZITEM (" COLUMNS ") VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)", -1,
                           &self->statement, NULL))
        return failed(self);
    return receive_rows(self, schema) && (sqlite3_exec(self->file, "COMMIT", NULL, NULL, NULL) ? failed(self) : 1);
}

raw_server_result raw_server_transfer(const char *where, const char *schema, const char *path, int is_back) {
    raw_server_result result = {0};
    transfer self = {.result = &result};
    self.connection = raw_server_connect(where, &result);
    if (!self.connection) return result;
    double start = raw_server_now();
    if (sqlite3_open(path, &self.file) != SQLITE_OK)
        failed(&self);
    else
        (void)(is_back ? back(&self, schema) : there(&self, schema));
    sqlite3_finalize(self.statement);
    sqlite3_close(self.file);
    result.seconds = raw_server_now() - start;
    PQfinish(self.connection);
    return result;
}
