// The words and the letters of HTTP: names of results, methods, what a byte may be part of.
#include "http/state.h"

#include <string.h>

static const char* const result_names[] = {
    [PH_HTTP_OK] = "HPE_OK",
    [PH_HTTP_STOPPED] = "HPE_USER",
    [PH_HTTP_NO_MEMORY] = "HPE_INTERNAL",
    [PH_HTTP_INVALID_METHOD] = "HPE_INVALID_METHOD",
    [PH_HTTP_INVALID_URL] = "HPE_INVALID_URL",
    [PH_HTTP_INVALID_CONSTANT] = "HPE_INVALID_CONSTANT",
    [PH_HTTP_INVALID_VERSION] = "HPE_INVALID_VERSION",
    [PH_HTTP_INVALID_STATUS] = "HPE_INVALID_STATUS",
    [PH_HTTP_INVALID_HEADER_TOKEN] = "HPE_INVALID_HEADER_TOKEN",
    [PH_HTTP_INVALID_CONTENT_LENGTH] = "HPE_INVALID_CONTENT_LENGTH",
    [PH_HTTP_UNEXPECTED_CONTENT_LENGTH] = "HPE_UNEXPECTED_CONTENT_LENGTH",
    [PH_HTTP_INVALID_TRANSFER_ENCODING] = "HPE_INVALID_TRANSFER_ENCODING",
    [PH_HTTP_INVALID_CHUNK_SIZE] = "HPE_INVALID_CHUNK_SIZE",
    [PH_HTTP_CR_EXPECTED] = "HPE_CR_EXPECTED",
    [PH_HTTP_LF_EXPECTED] = "HPE_LF_EXPECTED",
    [PH_HTTP_STRICT] = "HPE_STRICT",
    [PH_HTTP_HEADER_OVERFLOW] = "HPE_HEADER_OVERFLOW",
    [PH_HTTP_CHUNK_EXTENSIONS_OVERFLOW] = "HPE_CHUNK_EXTENSIONS_OVERFLOW",
    [PH_HTTP_CLOSED_CONNECTION] = "HPE_CLOSED_CONNECTION",
    [PH_HTTP_INVALID_EOF_STATE] = "HPE_INVALID_EOF_STATE",
};

const char* ph_http_result_name(ph_http_result result) {
    return (unsigned)result < PH_HTTP_RESULT_COUNT ? result_names[result] : "HPE_INTERNAL";
}

static const char known[] =
    " GET POST HEAD PUT DELETE OPTIONS PATCH CONNECT TRACE COPY LOCK MKCOL MOVE PROPFIND"
    " PROPPATCH SEARCH UNLOCK BIND REBIND UNBIND ACL REPORT MKACTIVITY CHECKOUT MERGE M-SEARCH"
    " NOTIFY SUBSCRIBE UNSUBSCRIBE PURGE MKCALENDAR LINK UNLINK SOURCE QUERY ";

static bool is_known(const char* text, size_t length, const char* end) {
    char word[PH_HTTP_MAX_METHOD + 3];
    if (length == 0 || length > PH_HTTP_MAX_METHOD)
        return false;
    word[0] = ' ';
    memcpy(word + 1, text, length);
    strcpy(word + length + 1, end);
    return strstr(known, word) != NULL;
}

bool ph_http_is_method(const char* text, size_t length) {
    return is_known(text, length, " ");
}

size_t ph_http_method_prefix(const char* text, size_t length) {
    size_t prefix = 0;
    while (prefix < length && is_known(text, prefix + 1, ""))
        prefix++;
    return prefix;
}

#define IS_UPPER(c) ((c) >= 'A' && (c) <= 'Z')
#define IS_ALNUM(c) (IS_UPPER(c) || ((c) >= 'a' && (c) <= 'z') || ((c) >= '0' && (c) <= '9'))
#define IS_MARK(c)                                                                          \
    ((c) == '!' || ((c) >= '#' && (c) <= '\'') || (c) == '*' || (c) == '+' || (c) == '-' || \
     (c) == '.' || ((c) >= '^' && (c) <= '`') || (c) == '|' || (c) == '~')
#define CLASSES(c)                                                       \
    ((IS_ALNUM(c) || IS_MARK(c) ? PH_HTTP_IN_TOKEN : 0) |                \
     ((c) == '\t' || ((c) >= 32 && (c) != 127) ? PH_HTTP_IN_VALUE : 0) | \
     ((c) > 32 && (c) < 127 ? PH_HTTP_IN_TARGET : 0) |                   \
     (IS_UPPER(c) || (c) == '-' ? PH_HTTP_IN_METHOD : 0))
#define FOUR(c) CLASSES(c), CLASSES((c) + 1), CLASSES((c) + 2), CLASSES((c) + 3)
#define SIXTEEN(c) FOUR(c), FOUR((c) + 4), FOUR((c) + 8), FOUR((c) + 12)
#define SIXTY_FOUR(c) SIXTEEN(c), SIXTEEN((c) + 16), SIXTEEN((c) + 32), SIXTEEN((c) + 48)
const uint8_t ph_http_classes[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128),
                                      SIXTY_FOUR(192)};

bool ph_http_is_token(uint8_t c) {
    return (ph_http_classes[c] & PH_HTTP_IN_TOKEN) != 0;
}
