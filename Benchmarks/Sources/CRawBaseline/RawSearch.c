#include "CRawBaseline.h"
#include "RawStore.h"

#include <stddef.h>

int raw_fill_texts(const char *path, const char *store) {
    sqlite3 *database = NULL;
    sqlite3_stmt *attach = NULL;
    int result = raw_open_store(path, &database);
    if (result == SQLITE_OK) result = sqlite3_prepare_v2(database, "ATTACH ? AS store", -1, &attach, NULL);
    if (result == SQLITE_OK) result = sqlite3_bind_text(attach, 1, store, -1, SQLITE_STATIC);
    if (result == SQLITE_OK && sqlite3_step(attach) != SQLITE_DONE) result = SQLITE_ERROR;
    sqlite3_finalize(attach);
    const char *sql = "BEGIN; CREATE TABLE page(id INTEGER PRIMARY KEY, text TEXT);"
                      "INSERT INTO page SELECT Z_PK, ZTEXT FROM store.ZPAGE;"
                      "CREATE VIRTUAL TABLE words USING fts5(text, content='');"
                      "INSERT INTO words(rowid, text) SELECT id, text FROM page; COMMIT;"
                      "DETACH store; PRAGMA wal_checkpoint(TRUNCATE)";
    if (result == SQLITE_OK) result = sqlite3_exec(database, sql, NULL, NULL, NULL);
    sqlite3_close(database);
    return result;
}
