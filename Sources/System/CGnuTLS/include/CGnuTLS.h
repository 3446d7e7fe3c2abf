#pragma once
#include <gnutls/gnutls.h>
#include <stddef.h>
#include <stdint.h>

/// Has a session of a server ask its client for a certificate, of whichever issuer. To be called before the handshake.
static inline void cgnutls_request_certificate(void *_Nonnull session) {
    gnutls_certificate_server_set_request((gnutls_session_t)session, GNUTLS_CERT_REQUEST);
}

/// The certificate by which the other side of a session has proved who it is, in DER; NULL if it has shown none. The handshake has proved that the
/// other side has the private key, and nothing else: issuer and dates are not looked at.
static inline const uint8_t *_Nullable cgnutls_certificate(void *_Nonnull session, size_t *_Nonnull count) {
    unsigned int certificates = 0;
    const gnutls_datum_t *list = gnutls_certificate_get_peers((gnutls_session_t)session, &certificates);
    if (!list || certificates == 0) return NULL;
    *count = list[0].size;
    return list[0].data;
}
