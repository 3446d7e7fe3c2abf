#pragma once
#include <sqlite3.h>

/// Opens a connection with the flags and settings that the library's own connections have.
int raw_open_store(const char *path, sqlite3 **database);
