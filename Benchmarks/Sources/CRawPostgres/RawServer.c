#include "RawServer.h"
#include <stdio.h>
#include <time.h>

double raw_server_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void ignore(void *context, const PGresult *result) {}

void raw_server_fail(PGconn *connection, raw_server_result *result) {
    if (result->failed) return;
    result->failed = 1;
    snprintf(result->message, sizeof result->message, "%s", PQerrorMessage(connection));
}

PGconn *raw_server_connect(const char *where, raw_server_result *result) {
    PGconn *connection = PQconnectdb(where);
    if (PQstatus(connection) == CONNECTION_OK) {
        PQsetNoticeReceiver(connection, ignore, NULL);
        return connection;
    }
    raw_server_fail(connection, result);
    PQfinish(connection);
    return NULL;
}

int raw_server_run(PGconn *connection, const char *sql, raw_server_result *result) {
    PGresult *answer = PQexec(connection, sql);
    ExecStatusType status = PQresultStatus(answer);
    PQclear(answer);
    if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) return 1;
    raw_server_fail(connection, result);
    return 0;
}

raw_server_result raw_server_remove(const char *where, const char *schema) {
    raw_server_result result = {0};
    PGconn *connection = raw_server_connect(where, &result);
    if (!connection) return result;
    char sql[300];
    snprintf(sql, sizeof sql, "DROP SCHEMA \"%s\" CASCADE", schema);
    raw_server_run(connection, sql, &result);
    PQfinish(connection);
    return result;
}
