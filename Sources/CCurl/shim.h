// libcurl as Swift sees it: curl_easy_setopt and curl_easy_getinfo take variable arguments, which Swift cannot
// call, so each kind of argument has a typed function. A callback and its context go in with one call.
#ifndef MIRROR_CCURL_SHIM_H
#define MIRROR_CCURL_SHIM_H

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <sys/socket.h>

typedef size_t (*mirror_curl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*mirror_curl_request_callback)(void *context, char *address, char *local, int port, int localPort);

// Macros with casts, which Swift does not import.
static const long mirror_curlauth_basic = (long)CURLAUTH_BASIC;
static const long mirror_curlpipe_nothing = (long)CURLPIPE_NOTHING;

static inline CURLcode mirror_curl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

/// libcurl copies the text. NULL gives the option its default back.
static inline CURLcode mirror_curl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

/// libcurl keeps the pointer: the list must live until the option is set again or the handle is gone.
static inline CURLcode mirror_curl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode mirror_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode mirror_curl_on_body(CURL *handle, mirror_curl_bytes_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callback);
}

static inline CURLcode mirror_curl_on_header(CURL *handle, mirror_curl_bytes_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, callback);
}

/// Called when a connection is ready and the request is about to be sent; 0 lets it go.
static inline CURLcode mirror_curl_on_request(CURL *handle, mirror_curl_request_callback callback, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
    return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

static inline curl_socket_t mirror_curl_open_socket(
    void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    (void)context;
    (void)purpose;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// libcurl 7.88 opens sockets that every program which the process starts inherits: a connection would stay open for as
/// long as such a program runs.
static inline CURLcode mirror_curl_keep_sockets(CURL *handle) {
    return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, mirror_curl_open_socket);
}

static inline long mirror_curl_info_long(CURL *handle, CURLINFO info, long otherwise) {
    long value = otherwise;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : otherwise;
}

static inline int64_t mirror_curl_info_offset(CURL *handle, CURLINFO info, int64_t otherwise) {
    curl_off_t value = otherwise;
    return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? (int64_t)value : otherwise;
}

/// The TLS connection to the origin that a transfer has at this moment; NULL when there is none, or when it is not OpenSSL's.
static inline SSL *mirror_curl_tls(CURL *handle) {
    struct curl_tlssessioninfo *info = NULL;
    if (curl_easy_getinfo(handle, CURLINFO_TLS_SSL_PTR, &info) != CURLE_OK || info == NULL) return NULL;
    return info->backend == CURLSSLBACKEND_OPENSSL ? (SSL *)info->internals : NULL;
}

/// Macros of OpenSSL, which Swift does not import: a place for a value in every connection, with what becomes of it when
/// the connection is freed, and close_notify (RFC 8446 section 6.1) as an information callback is told of it.
static inline int mirror_tls_new_place(CRYPTO_EX_free *release) {
    return SSL_get_ex_new_index(0, NULL, NULL, NULL, release);
}

static inline int mirror_tls_is_goodbye(int event, int alert) {
    return event == SSL_CB_READ_ALERT && (alert & 0xFF) == SSL_AD_CLOSE_NOTIFY;
}

static inline CURLMcode mirror_curl_multi_set_long(CURLM *handle, CURLMoption option, long value) {
    return curl_multi_setopt(handle, option, value);
}

/// The fields of the next finished transfer, copied out, for a CURLMsg dies with the next call on the handle.
/// Returns NULL when there is none.
static inline CURL *mirror_curl_multi_next_done(CURLM *multi, CURLcode *result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left)) != NULL) {
        if (message->msg == CURLMSG_DONE) {
            *result = message->data.result;
            return message->easy_handle;
        }
    }
    return NULL;
}

#endif
