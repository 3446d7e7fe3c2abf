#pragma once
#include <openssl/evp.h>
#include <stddef.h>
#include <stdint.h>

/// Writes the 32 bytes of the SHA-256 digest of some bytes; false if the library has no memory, or no such digest.
static inline int copenssl_sha256(const void *_Nullable bytes, size_t count, uint8_t *_Nonnull digest) {
    unsigned int length = 0;
    return EVP_Digest(bytes ? bytes : "", count, digest, &length, EVP_sha256(), NULL) == 1 && length == 32;
}
