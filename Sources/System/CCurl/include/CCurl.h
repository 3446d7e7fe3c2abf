#pragma once
#include <curl/curl.h>
#include <stdint.h>
#include <string.h>

// Swift cannot call variadic functions, of which libcurl has the options: here is one function for each type of option.

static inline CURLcode ccurl_set_long(CURL *_Nonnull handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_size(CURL *_Nonnull handle, CURLoption option, int64_t value) {
    return curl_easy_setopt(handle, option, (curl_off_t)value);
}

/// Sets a text, which libcurl copies.
static inline CURLcode ccurl_set_text(CURL *_Nonnull handle, CURLoption option, const char *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

/// Sets a pointer to something that must live as long as the handle uses it.
static inline CURLcode ccurl_set_pointer(CURL *_Nonnull handle, CURLoption option, void *_Nullable value) {
    return curl_easy_setopt(handle, option, value);
}

static inline CURLcode ccurl_set_headers(CURL *_Nonnull handle, struct curl_slist *_Nullable list) {
    return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
}

/// The functions that libcurl calls for a transfer, each with the same context.
struct ccurl_callbacks {
    /// The body, and the header fields line by line: returns how many bytes were taken.
    size_t (*_Nonnull write)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);
    size_t (*_Nonnull header)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context);
    /// Fills a buffer with the next bytes of the body to send.
    size_t (*_Nonnull read)(char *_Nonnull buffer, size_t size, size_t count, void *_Nullable context);
    /// Goes to a place in the body to send, counted from its start.
    int (*_Nonnull seek)(void *_Nullable context, curl_off_t offset, int origin);
    /// What has been received and sent so far.
    int (*_Nonnull progress)(
        void *_Nullable context, curl_off_t to_receive, curl_off_t received, curl_off_t to_send, curl_off_t sent);
    /// Whether a connection to an address is allowed: of 4 or 16 bytes, in the order of the network.
    int (*_Nonnull allows)(void *_Nullable context, const uint8_t *_Nonnull address, int count);
    void *_Nullable context;
};

/// Copies the bytes of an IPv4 or IPv6 address and returns how many they are; 0 for other kinds of addresses.
static inline int ccurl_address(const struct curl_sockaddr *_Nonnull address, uint8_t *_Nonnull bytes) {
    // As struct sockaddr_in and sockaddr_in6 have them: behind the port, and behind the port and the flow.
    const uint8_t *start = (const uint8_t *)&address->addr;
    if (address->family == AF_INET) {
        memcpy(bytes, start + 4, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, start + 8, 16);
        return 16;
    }
    return 0;
}

/// Opens the socket of a connection, unless its address is not allowed.
static inline curl_socket_t ccurl_open_socket(
    void *_Nullable callbacks, curlsocktype purpose, struct curl_sockaddr *_Nonnull address) {
    const struct ccurl_callbacks *calls = callbacks;
    uint8_t bytes[16];
    int count = ccurl_address(address, bytes);
    if (purpose == CURLSOCKTYPE_IPCXN && !calls->allows(calls->context, bytes, count)) return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// Sets the functions that libcurl calls; the structure must live as long as the handle.
static inline void ccurl_set_callbacks(CURL *_Nonnull handle, struct ccurl_callbacks *_Nonnull calls) {
    curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, calls->write);
    curl_easy_setopt(handle, CURLOPT_WRITEDATA, calls->context);
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, calls->header);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, calls->context);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, calls->read);
    curl_easy_setopt(handle, CURLOPT_READDATA, calls->context);
    curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, calls->seek);
    curl_easy_setopt(handle, CURLOPT_SEEKDATA, calls->context);
    curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, calls->progress);
    curl_easy_setopt(handle, CURLOPT_XFERINFODATA, calls->context);
    curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, ccurl_open_socket);
    curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, calls);
}

/// Sets the function that gets the lines of a server, as the protocols of mail have them, with its context.
static inline void ccurl_set_header_lines(
    CURL *_Nonnull handle, size_t (*_Nonnull take)(char *_Nonnull bytes, size_t size, size_t count, void *_Nullable context),
    void *_Nullable context) {
    curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, take);
    curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

/// The socket of a handle that only connected; -1 if there is none.
static inline int ccurl_active_socket(CURL *_Nonnull handle) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? (int)socket : -1;
}

/// What `read` and `write` return to stop a transfer, and to let it wait until it is continued.
static inline size_t ccurl_read_abort(void) { return CURL_READFUNC_ABORT; }
static inline size_t ccurl_write_pause(void) { return CURL_WRITEFUNC_PAUSE; }

/// All schemes of authentication, of which libcurl takes the safest that the server offers.
static inline long ccurl_any_authentication(void) { return (long)CURLAUTH_ANY; }

/// A transfer that ends does not wait for its name's lookup, from libcurl 7.87 on.
static inline void ccurl_set_quick_exit(CURL *_Nonnull handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
    curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#endif
}

static inline CURLcode ccurl_continue(CURL *_Nonnull handle) { return curl_easy_pause(handle, CURLPAUSE_CONT); }

static inline long ccurl_get_long(CURL *_Nonnull handle, CURLINFO info) {
    long value = 0;
    curl_easy_getinfo(handle, info, &value);
    return value;
}

/// A place that transfers of one thread share for their cookies.
static inline CURLSH *_Nullable ccurl_share_cookies(void) {
    CURLSH *share = curl_share_init();
    if (share) curl_share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
    return share;
}

/// The next transfer that has ended, with its result; NULL when there is none.
static inline CURL *_Nullable ccurl_next_ended(CURLM *_Nonnull multi, CURLcode *_Nonnull result) {
    int left = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *result = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
