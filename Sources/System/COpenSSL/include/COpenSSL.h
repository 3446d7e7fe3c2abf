#pragma once
#include "COpenSSLTLS.h"
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/// Writes the 32 bytes of the SHA-256 digest of some bytes; false if the library has no memory, or no such digest.
static inline int copenssl_sha256(const void *_Nullable bytes, size_t count, uint8_t *_Nonnull digest) {
    unsigned int length = 0;
    return EVP_Digest(bytes ? bytes : "", count, digest, &length, EVP_sha256(), NULL) == 1 && length == 32;
}

/// A new key on the curve P-256; NULL if the library makes none.
static inline EVP_PKEY *_Nullable copenssl_new_key(void) {
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_id(EVP_PKEY_EC, NULL);
    if (!context || EVP_PKEY_keygen_init(context) != 1
        || EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) != 1
        || EVP_PKEY_keygen(context, &key) != 1) {
        key = NULL;
    }
    EVP_PKEY_CTX_free(context);
    return key;
}

/// A certificate of a key, signed with it by a digest, which an Ed25519 key does without. It is valid from 2000 to 9999: who knows the
/// key's digest asks for no dates.
static inline X509 *_Nullable copenssl_new_signed_certificate(
    EVP_PKEY *_Nonnull key, const char *_Nonnull name, const EVP_MD *_Nullable digest) {
    X509 *certificate = X509_new();
    unsigned char serial[8];
    if (!certificate || RAND_bytes(serial, sizeof serial) != 1) {
        X509_free(certificate);
        return NULL;
    }
    // Positive, and not 0.
    serial[0] = (serial[0] & 0x7f) | 0x40;
    BIGNUM *number = BN_bin2bn(serial, sizeof serial, NULL);
    X509_NAME *subject = X509_get_subject_name(certificate);
    int made = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate))
        && X509_set_version(certificate, 2) == 1
        && ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), "20000101000000Z") == 1
        && ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), "99991231235959Z") == 1
        && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const unsigned char *)name, -1, -1, 0) == 1
        && X509_set_issuer_name(certificate, subject) == 1 && X509_set_pubkey(certificate, key) == 1
        && X509_sign(certificate, key, digest) > 0;
    BN_free(number);
    if (made) return certificate;
    X509_free(certificate);
    return NULL;
}

/// Writes a key and a certificate of it, both as PEM, the key first. Returns how many bytes they take; 0 if one is missing or they take
/// more than there is room for.
static inline size_t copenssl_write_identity(
    EVP_PKEY *_Nullable key, X509 *_Nullable certificate, uint8_t *_Nonnull buffer, size_t room) {
    BIO *text = key && certificate ? BIO_new(BIO_s_mem()) : NULL;
    size_t count = 0;
    if (text && PEM_write_bio_PrivateKey(text, key, NULL, NULL, 0, NULL, NULL) == 1
        && PEM_write_bio_X509(text, certificate) == 1) {
        char *bytes = NULL;
        long length = BIO_get_mem_data(text, &bytes);
        if (length > 0 && (size_t)length <= room) {
            memcpy(buffer, bytes, (size_t)length);
            count = (size_t)length;
        }
    }
    BIO_free(text);
    return count;
}

/// Makes a key and a certificate of it, both as PEM, the key first. Returns how many bytes they take; 0 if the library makes none or they take more than
/// there is room for.
static inline size_t copenssl_make_identity(const char *_Nonnull name, uint8_t *_Nonnull buffer, size_t room) {
    EVP_PKEY *key = copenssl_new_key();
    X509 *certificate = key ? copenssl_new_signed_certificate(key, name, EVP_sha256()) : NULL;
    size_t count = copenssl_write_identity(key, certificate, buffer, room);
    X509_free(certificate);
    EVP_PKEY_free(key);
    return count;
}

/// Writes the SHA-256 digest of a certificate's public key, as SubjectPublicKeyInfo in DER; false if it has none.
static inline int copenssl_key_digest(X509 *_Nullable certificate, uint8_t *_Nonnull digest) {
    unsigned char *key = NULL;
    int length = certificate ? i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &key) : 0;
    int found = length > 0 && copenssl_sha256(key, (size_t)length, digest);
    OPENSSL_free(key);
    return found;
}

/// Writes the digest of the public key of a certificate in DER; false if the bytes are none.
static inline int copenssl_der_key_digest(const uint8_t *_Nonnull bytes, size_t count, uint8_t *_Nonnull digest) {
    const unsigned char *place = bytes;
    X509 *certificate = count <= 65536 ? d2i_X509(NULL, &place, (long)count) : NULL;
    int found = copenssl_key_digest(certificate, digest);
    X509_free(certificate);
    return found;
}

/// Writes the digest of the public key of an identity as `copenssl_make_identity` makes it; false if the key is not that of the certificate.
static inline int copenssl_identity_key_digest(const void *_Nonnull text, size_t count, uint8_t *_Nonnull digest) {
    BIO *bytes = count <= 65536 ? BIO_new_mem_buf(text, (int)count) : NULL;
    EVP_PKEY *key = bytes ? PEM_read_bio_PrivateKey(bytes, NULL, NULL, (void *)"") : NULL;
    X509 *certificate = key ? PEM_read_bio_X509(bytes, NULL, NULL, (void *)"") : NULL;
    int found = certificate && X509_check_private_key(certificate, key) == 1
        && copenssl_key_digest(certificate, digest);
    X509_free(certificate);
    EVP_PKEY_free(key);
    BIO_free(bytes);
    return found;
}
