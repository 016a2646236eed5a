// libssl as the tests' TLS servers need it: a context with a certificate made on the spot, and the calls of one
// connection. Nothing of it is part of the program.
#ifndef MIRROR_TESTS_CTLS_SHIM_H
#define MIRROR_TESTS_CTLS_SHIM_H

#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

static inline int mirror_tls_add_extension(X509 *certificate, int kind, const char *value) {
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, NULL, kind, value);
    if (extension == NULL) return 0;
    int isAdded = X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return isAdded;
}

/// Gives a context a certificate that it signed itself, and writes it as PEM.
/// names: such as "DNS:localhost,IP:127.0.0.1"; first and last: seconds from now between which it holds.
static inline int mirror_tls_certify(SSL_CTX *context, const char *names, long first, long last, const char *path) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    int isMade = 0;
    if (key != NULL && certificate != NULL) {
        X509_set_version(certificate, 2);
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
        X509_gmtime_adj(X509_getm_notBefore(certificate), first);
        X509_gmtime_adj(X509_getm_notAfter(certificate), last);
        X509_NAME *name = X509_get_subject_name(certificate);
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"mirror tests", -1, -1, 0);
        X509_set_issuer_name(certificate, name);
        X509_set_pubkey(certificate, key);
        FILE *file = NULL;
        isMade = mirror_tls_add_extension(certificate, NID_subject_alt_name, names)
            && mirror_tls_add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE")
            && X509_sign(certificate, key, EVP_sha256()) > 0 && SSL_CTX_use_certificate(context, certificate) == 1
            && SSL_CTX_use_PrivateKey(context, key) == 1 && (file = fopen(path, "w")) != NULL
            && PEM_write_X509(file, certificate) == 1;
        if (file != NULL) fclose(file);
    }
    X509_free(certificate);
    EVP_PKEY_free(key);
    return isMade;
}

/// Chooses the first protocol of the client's that is among the server's: "\x02h2\x08http/1.1".
static inline int mirror_tls_choose(
    SSL *connection, const unsigned char **chosen, unsigned char *length, const unsigned char *offered,
    unsigned int count, void *protocols) {
    const char *wanted = (const char *)protocols;
    unsigned char *found = NULL;
    int code = SSL_select_next_proto(
        &found, length, (const unsigned char *)wanted, (unsigned int)strlen(wanted), offered, count);
    *chosen = found;
    return code == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
}

/// protocols: must live as long as the context.
static inline void mirror_tls_offer(SSL_CTX *context, const char *protocols) {
    SSL_CTX_set_alpn_select_cb(context, mirror_tls_choose, (void *)protocols);
}

/// Whether the client takes HTTP/2.
static inline int mirror_tls_is_http2(SSL *connection) {
    const unsigned char *name = NULL;
    unsigned int length = 0;
    SSL_get0_alpn_selected(connection, &name, &length);
    return length == 2 && memcmp(name, "h2", 2) == 0;
}

#endif
