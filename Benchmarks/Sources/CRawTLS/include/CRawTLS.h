#pragma once
#include <stddef.h>

/// Sends messages back and forth over OpenSSL alone, between two threads on the loopback address; writes the seconds of each round
/// trip. Returns how many were made.
int crawtls_round_trips(const void *_Nonnull identity, size_t size, int count, int bytes, double *_Nonnull seconds);

/// Sends a file over OpenSSL alone into another one; returns the seconds, or a negative number after a failure.
double crawtls_transfer(const void *_Nonnull identity, size_t size, const char *_Nonnull from, const char *_Nonnull to);
