#pragma once
#include <stdint.h>

/// The same work as a workload of the library's, done in plain C against SQLite.

/// What one raw fetch took and saw. When `error` is not 0 it is SQLite's result code and the rest means nothing.
typedef struct {
    int error;
    double seconds;
    int64_t rows;
    /// The sum of all attribute values, wrapping.
    uint64_t sum;
    /// The bytes in use for the rows when the fetch had ended.
    int64_t bytes;
} raw_result;

/// Appends rows to the table ZITEM, which has the shape of a store's, and makes the table when it is not there.
/// Attribute k of row n is (n * 31 + k * 7) modulo 1,000,003. Returns SQLite's result code.
int raw_fill_items(const char *_Nonnull path, int64_t rows);

/// Fetches every column of every row into a growing array of structures. Opening the file is not timed.
raw_result raw_fetch_items(const char *_Nonnull path);

/// Fetches the first three attributes of every row into a growing array of structures. Opening the file is not timed.
raw_result raw_fetch_values(const char *_Nonnull path);

/// What one raw transaction took. When `error` is not 0 it is SQLite's result code and the rest means nothing.
typedef struct {
    int error;
    double seconds;
} raw_writing;

/// Inserts rows with the values of `raw_fill_items` into an empty store of the library's, in one transaction.
raw_writing raw_insert_items(const char *_Nonnull path, int64_t rows);

/// Inserts the same rows, all of which are in memory before the transaction begins, as objects are that a program saves.
raw_writing raw_insert_held_items(const char *_Nonnull path, int64_t rows);

/// Changes one attribute of the first rows, each checked for its version, in one transaction.
raw_writing raw_update_items(const char *_Nonnull path, int64_t rows);

/// Deletes the first rows, each checked for its version, in one transaction.
raw_writing raw_delete_items(const char *_Nonnull path, int64_t rows);

/// Adds an integer column to the rows and gives all of them a value, in one transaction; closing, which moves the log into the
/// file, is timed too.
raw_writing raw_add_column(const char *_Nonnull path);

/// Upserts rows into an empty store of entries with a unique code, in transactions of `batch` rows.
/// A code is the row's number times `factor`, modulo 2^32. `seconds` has room for the time of each batch.
raw_writing raw_upsert_entries(const char *_Nonnull path, int64_t rows, int64_t batch, int64_t factor,
                               double *_Nonnull seconds);

/// Puts the first column of each row of a query, an integer, into a growing array. Opening the file is not timed.
raw_result raw_scan_keys(const char *_Nonnull path, const char *_Nonnull query);

/// Changes one attribute of one row after another, each in a transaction of its own; `synchronous` is FULL or NORMAL.
raw_writing raw_save_items(const char *_Nonnull path, int64_t count, int64_t rows, const char *_Nonnull synchronous);

/// Fetches all notes, four texts, four numbers and two dates each, into structures whose texts are copied.
/// The sum is that of all numbers, dates in whole seconds and lengths of texts.
raw_result raw_fetch_notes(const char *_Nonnull path);

/// Inserts people, each an age, a height, a name and a rank, into an empty store of the library's, in one transaction.
raw_writing raw_insert_people(const char *_Nonnull path, int64_t rows);

/// Carries out a query for each owner's key from 1 on, and puts the two integers of each row into a growing array.
/// The sum is that of the second column.
raw_result raw_fetch_members(const char *_Nonnull path, const char *_Nonnull query, int64_t owners);

/// Fetches the items whose first attribute lies in a range, sorted by it and at most `limit`, into a growing array of
/// structures: for each of so many ranges, which begin at a bound. The sum is that of the first attribute.
raw_result raw_fetch_ranges(const char *_Nonnull path, const int64_t *_Nonnull bounds, int64_t count, int64_t width,
                            int64_t limit);

/// Writes a history of updates and insertions of items, a hundred in each transaction, into a store of the library's that
/// keeps history. Returns SQLite's result code.
int raw_fill_history(const char *_Nonnull path, int64_t changes);

/// Reads such a history into structures, so many changes at a time in the order of their transactions. Opening the file is
/// not timed. The sum is that of the keys and kinds of the changes.
raw_result raw_read_history(const char *_Nonnull path, int64_t changes, int64_t batch_size);

/// Inserts rows with two values into an empty store of the library's in one transaction, and with a history the changes too.
raw_writing raw_insert_recorded(const char *_Nonnull path, int64_t rows, int with_history);

/// Changes one attribute of all rows in one transaction, and with a history records the changes too.
raw_writing raw_update_recorded(const char *_Nonnull path, int64_t rows, int with_history);

/// Changes one attribute of one row after another, each with its history in a transaction of its own.
raw_writing raw_save_recorded(const char *_Nonnull path, int64_t count, int64_t rows, const char *_Nonnull synchronous);

/// Makes a database with the texts of a store of pages, and a full-text index of FTS5 for them. Returns SQLite's result code.
int raw_fill_texts(const char *_Nonnull path, const char *_Nonnull store);

/// Copies the first column of a query's first row, a text, into a buffer. Returns SQLite's result code.
int raw_read_text(const char *_Nonnull path, const char *_Nonnull query, char *_Nonnull text, int size);

/// The bytes that the allocator has handed out and not got back, in all threads.
int64_t raw_allocated_bytes(void);

/// Seconds on the monotonic clock.
double raw_now(void);

/// The version of the SQLite library in use.
const char *_Nonnull raw_sqlite_version(void);
