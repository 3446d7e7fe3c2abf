#include "COpenSSLTLS.h"
#include "COpenSSL.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>

size_t copenssl_make_signing_identity(const char *name, uint8_t *buffer, size_t room) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, NULL);
    if (!maker || EVP_PKEY_keygen_init(maker) != 1 || EVP_PKEY_keygen(maker, &key) != 1) key = NULL;
    EVP_PKEY_CTX_free(maker);
    X509 *certificate = key ? copenssl_new_signed_certificate(key, name, NULL) : NULL;
    size_t count = copenssl_write_identity(key, certificate, buffer, room);
    X509_free(certificate);
    EVP_PKEY_free(key);
    return count;
}

// Any certificate is accepted: the library has checked that the other side has its private key, and whether the key is trusted is decided by its digest.
static int accept_any(X509_STORE_CTX *store, void *unused) { return 1; }

SSL_CTX *copenssl_tls_context(const void *text, size_t count) {
    BIO *bytes = count <= 65536 ? BIO_new_mem_buf(text, (int)count) : NULL;
    EVP_PKEY *key = bytes ? PEM_read_bio_PrivateKey(bytes, NULL, NULL, (void *)"") : NULL;
    X509 *certificate = key ? PEM_read_bio_X509(bytes, NULL, NULL, (void *)"") : NULL;
    SSL_CTX *context = certificate ? SSL_CTX_new(TLS_method()) : NULL;
    int made = context && SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1
        && SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1
        && SSL_CTX_check_private_key(context) == 1;
    if (made) {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, NULL);
        SSL_CTX_set_cert_verify_callback(context, accept_any, NULL);
        SSL_CTX_set_mode(
            context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
        // Connections resume by frames of their own; a ticket would only be one more secret.
        SSL_CTX_set_num_tickets(context, 0);
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
        SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    }
    X509_free(certificate);
    EVP_PKEY_free(key);
    BIO_free(bytes);
    ERR_clear_error();
    if (made) return context;
    SSL_CTX_free(context);
    return NULL;
}

// The socket of a connection, whose library functions would raise SIGPIPE.

static int place_of(BIO *bio) { return (int)(intptr_t)BIO_get_data(bio); }

static int is_temporary(void) { return errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR; }

static int socket_write(BIO *bio, const char *bytes, int count) {
    BIO_clear_retry_flags(bio);
    long sent = send(place_of(bio), bytes, (size_t)count, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && is_temporary()) BIO_set_retry_write(bio);
    return (int)sent;
}

static int socket_read(BIO *bio, char *bytes, int count) {
    BIO_clear_retry_flags(bio);
    long received = recv(place_of(bio), bytes, (size_t)count, MSG_DONTWAIT);
    if (received < 0 && is_temporary()) BIO_set_retry_read(bio);
    return (int)received;
}

static long socket_control(BIO *bio, int command, long number, void *pointer) {
    return command == BIO_CTRL_FLUSH || command == BIO_CTRL_DUP;
}

static int socket_create(BIO *bio) {
    BIO_set_init(bio, 1);
    return 1;
}

static BIO_METHOD *method = NULL;

// Before `main`, so that no two threads make it.
__attribute__((constructor)) static void make_method(void) {
    BIO_METHOD *made = BIO_meth_new(BIO_TYPE_SOURCE_SINK | 127, "peer socket");
    if (!made) return;
    BIO_meth_set_write(made, socket_write);
    BIO_meth_set_read(made, socket_read);
    BIO_meth_set_ctrl(made, socket_control);
    BIO_meth_set_create(made, socket_create);
    method = made;
}

SSL *copenssl_tls_open(SSL_CTX *context, int socket, int is_server) {
    SSL *connection = SSL_new(context);
    BIO *bio = connection && method ? BIO_new(method) : NULL;
    if (!bio) {
        SSL_free(connection);
        return NULL;
    }
    BIO_set_data(bio, (void *)(intptr_t)socket);
    SSL_set_bio(connection, bio, bio);
    // Several records by one call of the system.
    SSL_set_default_read_buffer_len(connection, 65536);
    SSL_set_read_ahead(connection, 1);
    if (is_server) SSL_set_accept_state(connection); else SSL_set_connect_state(connection);
    return connection;
}

static int step_of(SSL *connection, int result) {
    switch (SSL_get_error(connection, result)) {
    case SSL_ERROR_WANT_READ: return COPENSSL_WANTS_READ;
    case SSL_ERROR_WANT_WRITE: return COPENSSL_WANTS_WRITE;
    case SSL_ERROR_ZERO_RETURN: return COPENSSL_ENDED;
    default: return COPENSSL_FAILED;
    }
}

int copenssl_tls_handshake(SSL *connection) {
    ERR_clear_error();
    int result = SSL_do_handshake(connection);
    return result == 1 ? COPENSSL_DONE : step_of(connection, result);
}

long copenssl_tls_read(SSL *connection, void *bytes, size_t count) {
    ERR_clear_error();
    int result = SSL_read(connection, bytes, count > INT32_MAX ? INT32_MAX : (int)count);
    return result > 0 ? result : step_of(connection, result);
}

long copenssl_tls_write(SSL *connection, const void *bytes, size_t count) {
    ERR_clear_error();
    int result = SSL_write(connection, bytes, count > INT32_MAX ? INT32_MAX : (int)count);
    return result > 0 ? result : step_of(connection, result);
}

void copenssl_tls_end(SSL *connection) {
    ERR_clear_error();
    if (SSL_is_init_finished(connection)) SSL_shutdown(connection);
    ERR_clear_error();
}

size_t copenssl_tls_certificate(SSL *connection, uint8_t *buffer, size_t room) {
    X509 *certificate = SSL_get1_peer_certificate(connection);
    int length = certificate ? i2d_X509(certificate, NULL) : 0;
    size_t count = 0;
    if (length > 0 && (size_t)length <= room) {
        unsigned char *place = buffer;
        count = i2d_X509(certificate, &place) == length ? (size_t)length : 0;
    }
    X509_free(certificate);
    return count;
}

void copenssl_tls_reason(char *text, size_t room) {
    unsigned long code = ERR_peek_last_error();
    const char *reason = code ? ERR_reason_error_string(code) : NULL;
    snprintf(text, room, "%s", reason ? reason : errno ? strerror(errno) : "the connection was closed");
}
