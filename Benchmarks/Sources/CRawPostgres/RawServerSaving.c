#include "RawServer.h"
#include <endian.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/// One of several writers.
typedef struct {
    PGconn *connection;
    int64_t first, rows, count;
    raw_server_saving saving;
    pthread_barrier_t *begin;
    pthread_t thread;
    raw_server_result result;
} writer;

enum { begins, updates, records, notes, commits, statements };

static const char *const names[statements] = {"b", "u", "r", "n", "c"};

static int prepare(writer *self, const char *schema) {
    char sql[statements][400];
    snprintf(sql[begins], 400, "BEGIN");
    snprintf(sql[updates], 400,
             "UPDATE \"%s\".zitem SET za3 = $1::int8, z_opt = z_opt + 1 WHERE z_pk = $2::int8 RETURNING z_pk", schema);
    snprintf(sql[records], 400,
             "INSERT INTO \"%s\".atransaction (z_pk, ztimestamp, zauthor, zcontextname, zbundleid, zprocessid) "
             "SELECT zbase + pg_current_xact_id()::text::bigint, 0, NULL, NULL, 'c', 'c' FROM \"%s\".ahistory",
             schema, schema);
    snprintf(sql[notes], 400,
             "INSERT INTO \"%s\".achange (ztransactionid, zchangetype, zentity, zentitypk, zcolumns) "
             "SELECT zbase + pg_current_xact_id()::text::bigint, 1, 1, $1::int8, '\\x01' FROM \"%s\".ahistory",
             schema, schema);
    snprintf(sql[commits], 400, "COMMIT");
    for (int number = 0; number < statements; number++) {
        PGresult *answer = PQprepare(self->connection, names[number], sql[number], 0, NULL);
        ExecStatusType status = PQresultStatus(answer);
        PQclear(answer);
        if (status != PGRES_COMMAND_OK) return 0;
    }
    return 1;
}

static int answered(PGconn *connection, int found) {
    PGresult *answer;
    int works = 0;
    while ((answer = PQgetResult(connection))) {
        ExecStatusType status = PQresultStatus(answer);
        works = status == PGRES_COMMAND_OK || (status == PGRES_TUPLES_OK && PQntuples(answer) == found);
        PQclear(answer);
    }
    return works;
}

static int save(writer *self, int64_t number) {
    uint64_t value = htobe64((uint64_t)(number * 17 + 5)), key = htobe64((uint64_t)(self->first + number % self->rows));
    const char *both[] = {(char *)&value, (char *)&key}, *only[] = {(char *)&key};
    const int lengths[] = {8, 8}, forms[] = {1, 1};
    int works = 1;
    for (int statement = 0; works && statement < statements; statement++) {
        int count = statement == updates ? 2 : statement == notes ? 1 : 0;
        works = PQsendQueryPrepared(self->connection, names[statement], count, count == 2 ? both : only, lengths, forms,
                                    1) == 1;
        if (self->saving == raw_server_one_by_one) works = works && answered(self->connection, 1);
    }
    if (self->saving == raw_server_one_by_one) return works;
    works = works && PQpipelineSync(self->connection) == 1;
    for (int statement = 0; works && statement < statements; statement++) works = answered(self->connection, 1);
    PGresult *sync = PQgetResult(self->connection);
    works = works && PQresultStatus(sync) == PGRES_PIPELINE_SYNC;
    PQclear(sync);
    return works;
}

static void *write_all(void *context) {
    writer *self = context;
    int works = self->saving == raw_server_one_by_one || PQenterPipelineMode(self->connection);
    pthread_barrier_wait(self->begin);
    for (int64_t number = 0; works && number < self->count; number++) works = save(self, number);
    if (!works) raw_server_fail(self->connection, &self->result);
    return NULL;
}

raw_server_result raw_server_save_items(const char *where, const char *schema, int writers, int64_t count, int64_t rows,
                                        raw_server_saving saving) {
    raw_server_result result = {0};
    writer *all = calloc((size_t)writers, sizeof *all);
    pthread_barrier_t begin;
    pthread_barrier_init(&begin, NULL, (unsigned)writers + 1);
    for (int number = 0; number < writers && !result.failed; number++) {
        PGconn *connection = raw_server_connect(where, &result);
        all[number] = (writer){
            .connection = connection, .first = number * rows + 1, .rows = rows, .count = count, .saving = saving,
            .begin = &begin};
        if (connection && !prepare(&all[number], schema)) raw_server_fail(connection, &result);
    }
    if (!result.failed) {
        for (int number = 0; number < writers; number++)
            pthread_create(&all[number].thread, NULL, write_all, &all[number]);
        pthread_barrier_wait(&begin);
        double start = raw_server_now();
        for (int number = 0; number < writers; number++) {
            pthread_join(all[number].thread, NULL);
            if (all[number].result.failed) result = all[number].result;
        }
        result.seconds = raw_server_now() - start;
        result.rows = writers * count;
    }
    for (int number = 0; number < writers; number++)
        if (all[number].connection) PQfinish(all[number].connection);
    pthread_barrier_destroy(&begin);
    free(all);
    return result;
}
