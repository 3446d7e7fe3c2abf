#include "CSQLite.h"

#include <stdlib.h>
#if !defined(_WIN32) && !defined(__wasi__)
#include <pthread.h>
#endif

int csqlite_forks = 0;
int csqlite_watched = 0;

/* Windows and WASI have no processes that go on with the memory of another one. */
#if !defined(_WIN32) && !defined(__wasi__)
static void count_fork(void) { csqlite_forks++; }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(0, 0, count_fork); }
#endif

/* Without this every allocation of every connection is counted under one lock, where threads that read at once wait for
   each other. It takes effect before the library is first used only, so here. */
__attribute__((constructor)) static void count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* Libraries that are built without SQLITE_ENABLE_COLUMN_METADATA do not have these. */
#pragma weak sqlite3_column_table_name
#pragma weak sqlite3_column_origin_name

const char *csqlite_column_table(sqlite3_stmt *statement, int index) {
    return sqlite3_column_table_name ? sqlite3_column_table_name(statement, index) : 0;
}

const char *csqlite_column_origin(sqlite3_stmt *statement, int index) {
    return sqlite3_column_origin_name ? sqlite3_column_origin_name(statement, index) : 0;
}

/* The phrases of a question that are counted; one with more has an error for its rank. */
#define MOST_PHRASES 64

struct ranking {
    csqlite_rank rank;
};

/* Source: sqlite.org/fts5.html, "Custom Auxiliary Functions". */
static void rank_row(const Fts5ExtensionApi *api, Fts5Context *fts, sqlite3_context *context, int argument_count,
                     sqlite3_value **arguments) {
    (void)argument_count;
    (void)arguments;
    const struct ranking *ranking = api->xUserData(fts);
    long long counts[MOST_PHRASES] = {0};
    int phrases = api->xPhraseCount(fts);
    if (phrases > MOST_PHRASES) return sqlite3_result_error(context, "too many words to rank by", -1);
    int code = SQLITE_OK;
    for (int phrase = 0; phrase < phrases && code == SQLITE_OK; phrase++) {
        Fts5PhraseIter iterator;
        int column = -1, place = -1;
        code = api->xPhraseFirst(fts, phrase, &iterator, &column, &place);
        for (; code == SQLITE_OK && column >= 0; api->xPhraseNext(fts, &iterator, &column, &place)) counts[phrase]++;
    }
    int length = 0;
    if (code == SQLITE_OK) code = api->xColumnSize(fts, 0, &length);
    if (code != SQLITE_OK) return sqlite3_result_error_code(context, code);
    sqlite3_result_int64(context, ranking->rank(counts, phrases, length));
}

int csqlite_register_rank(sqlite3 *db, const char *name, csqlite_rank rank) {
    fts5_api *api = 0;
    sqlite3_stmt *statement = 0;
    int code = sqlite3_prepare_v2(db, "SELECT fts5(?1)", -1, &statement, 0);
    if (code != SQLITE_OK) return code;
    sqlite3_bind_pointer(statement, 1, (void *)&api, "fts5_api_ptr", 0);
    sqlite3_step(statement);
    code = sqlite3_finalize(statement);
    if (code != SQLITE_OK) return code;
    if (!api || api->iVersion < 2) return SQLITE_ERROR;
    struct ranking *ranking = malloc(sizeof *ranking);
    if (!ranking) return SQLITE_NOMEM;
    ranking->rank = rank;
    code = api->xCreateFunction(api, name, ranking, rank_row, free);
    if (code != SQLITE_OK) free(ranking);
    return code;
}
