#include "CSQLite.h"

#include <pthread.h>

int csqlite_forks = 0;

static void count_fork(void) { csqlite_forks++; }

__attribute__((constructor)) static void watch_forks(void) { pthread_atfork(0, 0, count_fork); }
