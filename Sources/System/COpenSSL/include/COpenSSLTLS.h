#pragma once
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <stddef.h>
#include <stdint.h>

/// What came of a step of a connection of TLS. A number above 0 is one of bytes.
enum copenssl_step {
    COPENSSL_FAILED = -4,
    /// The other side has closed the connection.
    COPENSSL_ENDED = -3,
    COPENSSL_WANTS_WRITE = -2,
    COPENSSL_WANTS_READ = -1,
    COPENSSL_DONE = 1
};

/// Makes an Ed25519 key and a certificate of it, both as PEM, the key first. Returns how many bytes they take; 0 if the
/// library makes none or they take more than there is room for.
size_t copenssl_make_signing_identity(const char *_Nonnull name, uint8_t *_Nonnull buffer, size_t room);

/// What all connections of an identity share: TLS 1.3 alone, and a certificate of both sides, of which only the key counts.
/// NULL if the text has no key with its certificate; `COPENSSL_FAILED` has no other cause than the text or memory.
SSL_CTX *_Nullable copenssl_tls_context(const void *_Nonnull text, size_t count);

/// A connection over a socket that does not block. It never closes the socket, and raises no SIGPIPE.
SSL *_Nullable copenssl_tls_open(SSL_CTX *_Nonnull context, int socket, int is_server);

int copenssl_tls_handshake(SSL *_Nonnull connection);
long copenssl_tls_read(SSL *_Nonnull connection, void *_Nonnull bytes, size_t count);
long copenssl_tls_write(SSL *_Nonnull connection, const void *_Nonnull bytes, size_t count);

/// Announces the end to the other side, as far as that is possible without waiting.
void copenssl_tls_end(SSL *_Nonnull connection);

/// Writes the certificate of the other side as DER. Returns how many bytes it takes; 0 if there is none or no room.
size_t copenssl_tls_certificate(SSL *_Nonnull connection, uint8_t *_Nonnull buffer, size_t room);

/// Writes why a step failed, ended by a 0.
void copenssl_tls_reason(char *_Nonnull text, size_t room);
