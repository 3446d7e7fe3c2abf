#include "RawServer.h"
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Rows on their way to a COPY.
typedef struct {
    PGconn *connection;
    char bytes[1 << 16];
    int count;
    int failed;
} copying;

static void send_rows(copying *copy) {
    if (copy->count && PQputCopyData(copy->connection, copy->bytes, copy->count) != 1) copy->failed = 1;
    copy->count = 0;
}

static void put(copying *copy, const void *bytes, int count) {
    if (copy->count + count > (int)sizeof copy->bytes) send_rows(copy);
    memcpy(copy->bytes + copy->count, bytes, (size_t)count);
    copy->count += count;
}

static void put_count(copying *copy, int16_t count) {
    uint16_t word = htobe16((uint16_t)count);
    put(copy, &word, 2);
}

static void put_integer(copying *copy, int64_t integer) {
    struct __attribute__((packed)) {
        uint32_t length;
        uint64_t value;
    } cell = {htobe32(8), htobe64((uint64_t)integer)};
    put(copy, &cell, 12);
}

static void put_null(copying *copy) {
    uint32_t word = htobe32(UINT32_MAX);
    put(copy, &word, 4);
}

static int begin(copying *copy, const char *sql) {
    PGresult *answer = PQexec(copy->connection, sql);
    ExecStatusType status = PQresultStatus(answer);
    PQclear(answer);
    put(copy, "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0", 19);
    return status == PGRES_COPY_IN;
}

static int end(copying *copy) {
    put_count(copy, -1);
    send_rows(copy);
    if (copy->failed || PQputCopyEnd(copy->connection, NULL) != 1) return 0;
    PGresult *answer = PQgetResult(copy->connection);
    ExecStatusType status = PQresultStatus(answer);
    PQclear(answer);
    while ((answer = PQgetResult(copy->connection))) PQclear(answer);
    return status == PGRES_COMMAND_OK;
}

static int copy_items(copying *copy, const char *schema, int64_t rows) {
    char sql[400];
    snprintf(sql, sizeof sql,
             "COPY \"%s\".zitem (z_pk, z_ent, z_opt, za0, za1, za2, za3, za4, za5, za6, za7, za8, za9) "
             "FROM STDIN (FORMAT binary)",
             schema);
    if (!begin(copy, sql)) return 0;
    for (int64_t row = 1; row <= rows; row++) {
        put_count(copy, 13);
        put_integer(copy, row);
        put_integer(copy, 1);
        put_integer(copy, 1);
        for (int64_t value = 0; value < 10; value++) put_integer(copy, (row * 31 + value * 7) % 1000003);
    }
    return end(copy);
}

static int copy_changes(copying *copy, const char *schema, int64_t rows) {
    char sql[400];
    snprintf(sql, sizeof sql,
             "INSERT INTO \"%s\".atransaction (z_pk, ztimestamp, zauthor, zcontextname, zbundleid, zprocessid) "
             "SELECT zbase + pg_current_xact_id()::text::bigint, 0, NULL, NULL, 'c', 'c' FROM \"%s\".ahistory "
             "RETURNING z_pk",
             schema, schema);
    PGresult *answer = PQexecParams(copy->connection, sql, 0, NULL, NULL, NULL, NULL, 0);
    if (PQresultStatus(answer) != PGRES_TUPLES_OK || PQntuples(answer) != 1) {
        PQclear(answer);
        return 0;
    }
    int64_t transaction = atoll(PQgetvalue(answer, 0, 0));
    PQclear(answer);
    snprintf(sql, sizeof sql,
             "COPY \"%s\".achange (ztransactionid, zchangetype, zentity, zentitypk, zcolumns, ztombstone) "
             "FROM STDIN (FORMAT binary)",
             schema);
    if (!begin(copy, sql)) return 0;
    for (int64_t row = 1; row <= rows; row++) {
        put_count(copy, 6);
        put_integer(copy, transaction);
        put_integer(copy, 0);
        put_integer(copy, 1);
        put_integer(copy, row);
        put_null(copy);
        put_null(copy);
    }
    return end(copy);
}

raw_server_result raw_server_copy_items(const char *where, const char *schema, int64_t rows, int with_history) {
    raw_server_result result = {0};
    copying *copy = calloc(1, sizeof *copy);
    copy->connection = raw_server_connect(where, &result);
    if (copy->connection) {
        double start = raw_server_now();
        int works = raw_server_run(copy->connection, "BEGIN", &result) && copy_items(copy, schema, rows) &&
                    (!with_history || copy_changes(copy, schema, rows)) &&
                    raw_server_run(copy->connection, "COMMIT", &result);
        result.seconds = raw_server_now() - start;
        result.rows = rows;
        if (!works) raw_server_fail(copy->connection, &result);
        PQfinish(copy->connection);
    }
    free(copy);
    return result;
}

raw_server_result raw_server_settle(const char *where, const char *schema, int64_t rows) {
    raw_server_result result = {0};
    PGconn *connection = raw_server_connect(where, &result);
    if (!connection) return result;
    char keys[300], look[300];
    snprintf(keys, sizeof keys, "UPDATE \"%s\".z_primarykey SET z_max = %lld", schema, (long long)rows);
    snprintf(look, sizeof look, "VACUUM ANALYZE \"%s\".zitem", schema);
    (void)(raw_server_run(connection, keys, &result) && raw_server_run(connection, look, &result));
    PQfinish(connection);
    return result;
}
