/* Fetching by libcurl; see fetch.h. */
#include "server/lookup/fetch.h"

#include "server/base/buf.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SECONDS_MOST = 5, BYTES_MOST = 1024 * 1024, RETRY_MOST = 24 * 3600 };

struct talk {
    const struct fetch *fetch;
    struct fetched *fetched;
    struct buf body;
    bool was_private, was_large;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void start_curl(void)
{
    curl_global_init(CURL_GLOBAL_DEFAULT);
}

/* Networks that are no part of the public internet: IANA's special-purpose registries
 * (RFC 6890) and multicast. */
static bool private_v4(uint32_t a)
{
    static const struct {
        uint32_t network;
        int bits;
    } networks[] = {
        {0x00000000, 8 },
        {0x0a000000, 8 },
        {0x64400000, 10},
        {0x7f000000, 8 },
        {0xa9fe0000, 16},
        {0xac100000, 12},
        {0xc0000000, 24},
        {0xc0000200, 24},
        {0xc0586300, 24},
        {0xc0a80000, 16},
        {0xc6120000, 15},
        {0xc6336400, 24},
        {0xcb007100, 24},
        {0xe0000000, 3 },
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        if ((a ^ networks[i].network) >> (32 - networks[i].bits) == 0)
            return true;
    return false;
}

/* Global unicast alone is public (2000::/3), without Teredo, 6to4 and documentation. */
static bool private_v6(const unsigned char *a)
{
    static const unsigned char mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
    if (memcmp(a, mapped, sizeof mapped) == 0)
        return private_v4((uint32_t)a[12] << 24 | (uint32_t)a[13] << 16 |
                          (uint32_t)a[14] << 8 | a[15]);
    if ((a[0] & 0xe0) != 0x20)
        return true;
    return (a[0] == 0x20 && a[1] == 0x02) ||
           (a[0] == 0x20 && a[1] == 0x01 && a[2] <= 0x01) ||
           (a[0] == 0x20 && a[1] == 0x01 && a[2] == 0x0d && a[3] == 0xb8);
}

static bool private_address(const struct sockaddr *address)
{
    if (address->sa_family == AF_INET)
        return private_v4(
            ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr));
    if (address->sa_family == AF_INET6)
        return private_v6(
            ((const struct sockaddr_in6 *)(const void *)address)->sin6_addr.s6_addr);
    return true;
}

bool fetch_is_private(const char *url)
{
    const char *host = strstr(url, "://");
    char name[64];
    struct in_addr v4;
    struct in6_addr v6;
    if (host == NULL)
        return false;
    host += 3;
    size_t length = *host == '[' ? strcspn(++host, "]") : strcspn(host, ":/?#");
    if (length >= sizeof name)
        return false;
    memcpy(name, host, length);
    name[length] = '\0';
    if (inet_pton(AF_INET, name, &v4) == 1)
        return private_v4(ntohl(v4.s_addr));
    if (inet_pton(AF_INET6, name, &v6) == 1)
        return private_v6(v6.s6_addr);
    return strcmp(name, "localhost") == 0;
}

static curl_socket_t open_socket(void *data, curlsocktype purpose,
                                 struct curl_sockaddr *address)
{
    struct talk *talk = data;
    (void)purpose;
    if (!talk->fetch->private && private_address(&address->addr)) {
        talk->was_private = true;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

static size_t take_body(char *bytes, size_t size, size_t count, void *data)
{
    struct talk *talk = data;
    if (size * count > BYTES_MOST - talk->body.length) {
        talk->was_large = true;
        return 0;
    }
    buf_append(&talk->body, bytes, size * count);
    return size * count;
}

static size_t take_field(char *line, size_t size, size_t count, void *data)
{
    struct talk *talk = data;
    struct slice field = {line, size * count};
    const char *colon = memchr(line, ':', field.length);
    if (colon == NULL)
        return field.length;
    struct slice name = slice_between(line, colon);
    struct slice value = slice_trim(slice_between(colon + 1, line + field.length));
    if (slice_like(name, "ETag") && value.length > 0 && value.length < 300)
        talk->fetched->etag = arena_copy(arena_current(), value.bytes, value.length);
    if (slice_like(name, "Retry-After") && value.length > 0 && value.length < 8) {
        long seconds =
            strtol(arena_copy(arena_current(), value.bytes, value.length), NULL, 10);
        talk->fetched->retry_after = seconds < 0            ? 0
                                     : seconds > RETRY_MOST ? RETRY_MOST
                                                            : (int)seconds;
    }
    return field.length;
}

static int go_on(void *data, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    const struct fetch *fetch = ((struct talk *)data)->fetch;
    (void)a, (void)b, (void)c, (void)d;
    return fetch->stopping != NULL && fetch->stopping(fetch->data);
}

static const char *error_of(const struct talk *talk, CURLcode code)
{
    if (talk->was_private)
        return "private";
    if (talk->was_large || code == CURLE_FILESIZE_EXCEEDED)
        return "too_large";
    switch ((int)code) {
    case CURLE_COULDNT_RESOLVE_HOST:
        return "host";
    case CURLE_COULDNT_CONNECT:
        return "refused";
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_ABORTED_BY_CALLBACK:
        return "timeout";
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CACERT_BADFILE:
        return "tls";
    default:
        return "broken";
    }
}

static void set_options(CURL *curl, struct talk *talk, struct curl_slist *fields)
{
    const struct fetch *fetch = talk->fetch;
    const char *contact = fetch->contact;
    curl_easy_setopt(curl, CURLOPT_URL, fetch->url);
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT, (long)SECONDS_MOST);
    curl_easy_setopt(curl, CURLOPT_MAXFILESIZE_LARGE, (curl_off_t)BYTES_MOST);
    curl_easy_setopt(curl, CURLOPT_ACCEPT_ENCODING, ""); /* of what libcurl can undo */
    curl_easy_setopt(curl, CURLOPT_NOBODY, (long)fetch->head);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, fields);
    curl_easy_setopt(curl, CURLOPT_USERAGENT,
                     arena_print(arena_current(), "labd/1.0%s%s%s",
                                 contact ? " (mailto:" : "", contact ? contact : "",
                                 contact ? ")" : ""));
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, talk);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, talk);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_field);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, talk);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, go_on);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, talk);
}

enum result fetch_get(struct fetched *fetched, const struct fetch *fetch)
{
    struct arena *arena = arena_current();
    struct talk talk = {.fetch = fetch, .fetched = fetched, .body = buf_on(arena)};
    struct curl_slist *fields = NULL;
    long status = 0;
    *fetched = (struct fetched){0};
    pthread_once(&once, start_curl);
    CURL *curl = curl_easy_init();
    if (curl == NULL)
        abort();
    if (fetch->accept != NULL)
        fields =
            curl_slist_append(fields, arena_print(arena, "Accept: %s", fetch->accept));
    if (fetch->etag != NULL)
        fields = curl_slist_append(fields,
                                   arena_print(arena, "If-None-Match: %s", fetch->etag));
    set_options(curl, &talk, fields);
    CURLcode code = curl_easy_perform(curl);
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_cleanup(curl);
    curl_slist_free_all(fields);
    fetched->status = (int)status;
    fetched->body = (struct slice){talk.body.data, talk.body.length};
    if (code == CURLE_OK)
        return OK;
    fetched->error = error_of(&talk, code);
    return FAILED;
}
