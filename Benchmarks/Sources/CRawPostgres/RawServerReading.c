#include "RawServer.h"
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 13

typedef struct {
    int64_t key, entity, version, values[10];
} item;

typedef struct {
    item *items;
    int64_t count, room;
} items;

static item *next_item(items *all) {
    if (all->count == all->room) {
        all->room = all->room ? all->room * 2 : 1024;
        all->items = realloc(all->items, (size_t)all->room * sizeof(item));
    }
    return &all->items[all->count++];
}

static int64_t big_endian(const void *bytes) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    return (int64_t)be64toh(word);
}

static void read_whole(PGconn *connection, const char *sql, items *all, raw_server_result *result) {
    PGresult *answer = PQexecParams(connection, sql, 0, NULL, NULL, NULL, NULL, 1);
    if (PQresultStatus(answer) == PGRES_TUPLES_OK) {
        int rows = PQntuples(answer);
        for (int row = 0; row < rows; row++) {
            int64_t *cells = (int64_t *)next_item(all);
            for (int column = 0; column < COLUMNS; column++)
                cells[column] = PQgetlength(answer, row, column) == 8 ? big_endian(PQgetvalue(answer, row, column)) : 0;
        }
    } else {
        raw_server_fail(connection, result);
    }
    PQclear(answer);
}

static void read_copy(PGconn *connection, const char *sql, items *all, raw_server_result *result) {
    PGresult *answer = PQexec(connection, sql);
    ExecStatusType status = PQresultStatus(answer);
    PQclear(answer);
    if (status != PGRES_COPY_OUT) return raw_server_fail(connection, result);
    char *bytes;
    int length, skipped = 19;
    while ((length = PQgetCopyData(connection, &bytes, 0)) > 0) {
        // The first piece begins with the header, the last row is the mark of the end.
        char *place = bytes + skipped;
        if (length - skipped >= 2 + COLUMNS * 4) {
            int64_t *cells = (int64_t *)next_item(all);
            place += 2;
            for (int column = 0; column < COLUMNS; column++) {
                uint32_t size;
                memcpy(&size, place, 4);
                size = be32toh(size);
                cells[column] = size == 8 ? big_endian(place + 4) : 0;
                place += 4 + (size == 8 ? 8 : 0);
            }
        }
        skipped = 0;
        PQfreemem(bytes);
    }
    answer = PQgetResult(connection);
    if (length != -1 || PQresultStatus(answer) != PGRES_COMMAND_OK) raw_server_fail(connection, result);
    PQclear(answer);
    while ((answer = PQgetResult(connection))) PQclear(answer);
}

raw_server_result raw_server_fetch_items(const char *where, const char *schema, raw_server_way way) {
    raw_server_result result = {0};
    PGconn *connection = raw_server_connect(where, &result);
    if (!connection) return result;
    char query[400], sql[500];
    snprintf(query, sizeof query,
             "SELECT z_pk, z_ent, z_opt, za0, za1, za2, za3, za4, za5, za6, za7, za8, za9 FROM \"%s\".zitem", schema);
    snprintf(sql, sizeof sql, "COPY (%s) TO STDOUT (FORMAT binary)", query);
    items all = {0};
    double start = raw_server_now();
    if (way == raw_server_copy)
        read_copy(connection, sql, &all, &result);
    else
        read_whole(connection, query, &all, &result);
    result.seconds = raw_server_now() - start;
    result.rows = all.count;
    for (int64_t row = 0; row < all.count; row++)
        for (int value = 0; value < 10; value++) result.sum += (uint64_t)all.items[row].values[value];
    free(all.items);
    PQfinish(connection);
    return result;
}
