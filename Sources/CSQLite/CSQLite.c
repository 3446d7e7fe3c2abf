#include "CSQLite.h"

#include <pthread.h>

int csqlite_forks = 0;

static void count_fork(void) { csqlite_forks++; }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(0, 0, count_fork); }

/* Without this every allocation of every connection is counted under one lock, where threads that read at once wait for
   each other. It takes effect before the library is first used only, so here. */
__attribute__((constructor)) static void count_no_memory(void) { sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
