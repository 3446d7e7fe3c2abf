#include "CRawTLS.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { block = 16384 };

struct side {
    SSL_CTX *context;
    int socket, count, bytes;
    const char *path;
};

static int accept_any(int known, X509_STORE_CTX *store) { return 1; }

static SSL_CTX *context_of(const void *identity, size_t size) {
    BIO *text = BIO_new_mem_buf(identity, (int)size);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(text, NULL, NULL, NULL);
    X509 *certificate = PEM_read_bio_X509(text, NULL, NULL, NULL);
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
    SSL_CTX_use_certificate(context, certificate);
    SSL_CTX_use_PrivateKey(context, key);
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, accept_any);
    X509_free(certificate);
    EVP_PKEY_free(key);
    BIO_free(text);
    return context;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void quicken(int socket) {
    int on = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static int read_all(SSL *connection, char *buffer, int count) {
    for (int done = 0; done < count;) {
        int step = SSL_read(connection, buffer + done, count - done);
        if (step <= 0) return 0;
        done += step;
    }
    return 1;
}

static SSL *arrive(struct side *side) {
    int accepted = accept(side->socket, NULL, NULL);
    quicken(accepted);
    SSL *connection = SSL_new(side->context);
    SSL_set_fd(connection, accepted);
    return SSL_accept(connection) == 1 ? connection : NULL;
}

static void *echo(void *argument) {
    struct side *side = argument;
    SSL *connection = arrive(side);
    char *buffer = malloc((size_t)side->bytes);
    for (int turn = 0; connection && turn < side->count; turn++) {
        if (!read_all(connection, buffer, side->bytes) || SSL_write(connection, buffer, side->bytes) <= 0) break;
    }
    free(buffer);
    return connection;
}

static void *receive(void *argument) {
    struct side *side = argument;
    SSL *connection = arrive(side);
    int file = open(side->path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char buffer[block];
    int step;
    while (connection && (step = SSL_read(connection, buffer, block)) > 0) {
        if (write(file, buffer, (size_t)step) != step) break;
    }
    close(file);
    return connection;
}

static SSL *connect_to(struct side *side, pthread_t *thread, void *(*work)(void *)) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    side->socket = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(side->socket, (struct sockaddr *)&address, length) || listen(side->socket, 1)) return NULL;
    getsockname(side->socket, (struct sockaddr *)&address, &length);
    pthread_create(thread, NULL, work, side);
    int made = socket(AF_INET, SOCK_STREAM, 0);
    quicken(made);
    if (connect(made, (struct sockaddr *)&address, length)) return NULL;
    SSL *connection = SSL_new(side->context);
    SSL_set_fd(connection, made);
    return SSL_connect(connection) == 1 ? connection : NULL;
}

static void finish(struct side *side, SSL *connection, pthread_t thread) {
    void *other = NULL;
    if (connection) {
        SSL_shutdown(connection);
        shutdown(SSL_get_fd(connection), SHUT_WR);
    }
    pthread_join(thread, &other);
    SSL *both[2] = {connection, other};
    for (int place = 0; place < 2; place++) {
        if (!both[place]) continue;
        close(SSL_get_fd(both[place]));
        SSL_free(both[place]);
    }
    close(side->socket);
    SSL_CTX_free(side->context);
}

int crawtls_round_trips(const void *identity, size_t size, int count, int bytes, double *seconds) {
    struct side side = {context_of(identity, size), -1, count, bytes, NULL};
    pthread_t thread;
    SSL *connection = connect_to(&side, &thread, echo);
    char *buffer = calloc(1, (size_t)bytes);
    int made = 0;
    while (connection && made < count) {
        double start = now();
        if (SSL_write(connection, buffer, bytes) <= 0 || !read_all(connection, buffer, bytes)) break;
        seconds[made++] = now() - start;
    }
    free(buffer);
    finish(&side, connection, thread);
    return made;
}

double crawtls_transfer(const void *identity, size_t size, const char *from, const char *to) {
    struct side side = {context_of(identity, size), -1, 0, 0, to};
    pthread_t thread;
    SSL *connection = connect_to(&side, &thread, receive);
    int file = open(from, O_RDONLY);
    double start = now();
    char buffer[block];
    long step;
    int failed = !connection || file < 0;
    while (!failed && (step = read(file, buffer, block)) > 0) failed = SSL_write(connection, buffer, (int)step) <= 0;
    close(file);
    finish(&side, connection, thread);
    return failed ? -1 : now() - start;
}
