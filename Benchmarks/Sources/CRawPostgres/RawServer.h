#pragma once
#include "CRawPostgres.h"
#include <libpq-fe.h>

/// A connection that prints no notices, or NULL with the result's message.
PGconn *raw_server_connect(const char *where, raw_server_result *result);
/// Runs a statement whose rows, if any, mean nothing; 0 where it fails, with the result's message.
int raw_server_run(PGconn *connection, const char *sql, raw_server_result *result);
/// Notes what libpq says has failed.
void raw_server_fail(PGconn *connection, raw_server_result *result);
/// Seconds on the monotonic clock.
double raw_server_now(void);
