#pragma once
#include <stdint.h>

/// The same work as a workload of the library's on a server, done in plain C on libpq: one connection a writer, prepared
/// statements, values in the server's binary form, whatever COPY and pipelines offer.

/// What some raw work on a server took and saw. When `failed` is not 0 the message says why and the rest means nothing.
typedef struct {
    int failed;
    char message[200];
    double seconds;
    int64_t rows;
    /// The sum of all attribute values, wrapping.
    uint64_t sum;
} raw_server_result;

/// Ways of getting many rows.
typedef enum {
    /// One result with all rows.
    raw_server_whole,
    /// COPY … TO STDOUT in the binary form.
    raw_server_copy,
} raw_server_way;

/// Appends items to an empty table of the library's by COPY in the binary form, in one transaction, and with a history also its
/// transaction and its changes. Attribute k of row n is (n * 31 + k * 7) modulo 1,000,003. Connecting is not timed.
raw_server_result raw_server_copy_items(const char *_Nonnull where, const char *_Nonnull schema, int64_t rows,
                                        int with_history);

/// Lets the server look over the tables and records the keys that `raw_server_copy_items` gave.
raw_server_result raw_server_settle(const char *_Nonnull where, const char *_Nonnull schema, int64_t rows);

/// Fetches every column of every item into a growing array of structures. Connecting is not timed.
raw_server_result raw_server_fetch_items(const char *_Nonnull where, const char *_Nonnull schema, raw_server_way way);

/// Ways of writing a transaction.
typedef enum {
    /// A round trip for each statement, as pgbench does it with prepared statements.
    raw_server_one_by_one,
    /// All of the transaction in one round trip.
    raw_server_pipelined,
} raw_server_saving;

/// Has several writers at once each change one attribute of one row after another, each change with its history in a
/// transaction of its own; writer w has the rows w * `rows` + 1 and on. Connecting and preparing are not timed.
raw_server_result raw_server_save_items(const char *_Nonnull where, const char *_Nonnull schema, int writers,
                                        int64_t count, int64_t rows, raw_server_saving saving);

/// Copies the rows of a file of SQLite into a new table of items in a new schema, or with `is_back` those of such a table into a
/// new file; in one transaction, row by row. Connecting is not timed; whatever opening and closing the file takes, is.
raw_server_result raw_server_transfer(const char *_Nonnull where, const char *_Nonnull schema,
                                      const char *_Nonnull path, int is_back);

/// Removes the schema of a store.
raw_server_result raw_server_remove(const char *_Nonnull where, const char *_Nonnull schema);
