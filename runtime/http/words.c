/* The words and the letters of HTTP: names of results, methods, what a byte may be part of. */
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
    [PH_HTTP_UNEXPECTED_SPACE] = "HPE_UNEXPECTED_SPACE",
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
    [PH_HTTP_H2_UPGRADE] = "HPE_PAUSED_H2_UPGRADE",
};

const char* ph_http_result_name(ph_http_result result) {
    return (unsigned)result < PH_HTTP_RESULT_COUNT ? result_names[result] : "HPE_INTERNAL";
}

/* Sorted: those with the same first letters lie together. */
static const struct {
    const char* name;
    uint8_t protocols;
} methods[] = {
#define HTTP(name) \
    { name, PH_HTTP_IN(PH_HTTP_PROTOCOL) }
#define RTSP(name) \
    { name, PH_HTTP_IN(PH_RTSP_PROTOCOL) }
#define BOTH(name) \
    { name, PH_HTTP_IN(PH_HTTP_PROTOCOL) | PH_HTTP_IN(PH_RTSP_PROTOCOL) }
    HTTP("ACL"),           RTSP("ANNOUNCE"),
    HTTP("BIND"),          HTTP("CHECKOUT"),
    HTTP("CONNECT"),       HTTP("COPY"),
    HTTP("DELETE"),        RTSP("DESCRIBE"),
    RTSP("FLUSH"),         BOTH("GET"),
    RTSP("GET_PARAMETER"), HTTP("HEAD"),
    HTTP("LINK"),          HTTP("LOCK"),
    HTTP("M-SEARCH"),      HTTP("MERGE"),
    HTTP("MKACTIVITY"),    HTTP("MKCALENDAR"),
    HTTP("MKCOL"),         HTTP("MOVE"),
    HTTP("NOTIFY"),        BOTH("OPTIONS"),
    HTTP("PATCH"),         RTSP("PAUSE"),
    RTSP("PLAY"),          BOTH("POST"),
    HTTP("PRI"),           HTTP("PROPFIND"),
    HTTP("PROPPATCH"),     HTTP("PURGE"),
    HTTP("PUT"),           HTTP("QUERY"),
    HTTP("REBIND"),        RTSP("RECORD"),
    RTSP("REDIRECT"),      HTTP("REPORT"),
    HTTP("SEARCH"),        RTSP("SETUP"),
    RTSP("SET_PARAMETER"), {"SOURCE", PH_HTTP_IN(PH_HTTP_PROTOCOL) | PH_HTTP_IN(PH_ICE_PROTOCOL)},
    HTTP("SUBSCRIBE"),     RTSP("TEARDOWN"),
    HTTP("TRACE"),         HTTP("UNBIND"),
    HTTP("UNLINK"),        HTTP("UNLOCK"),
    HTTP("UNSUBSCRIBE"),
#undef HTTP
#undef RTSP
#undef BOTH
};
/* Where those with a letter begin. */
static const uint8_t first_with[] = {0,  2,  3,  6,  8,  8,  9,  11, 12, 12, 12, 12, 14, 20,
                                     21, 22, 31, 32, 36, 41, 43, 47, 47, 47, 47, 47, 47};

size_t ph_http_method_prefix(const char* text, size_t length, uint8_t* protocols) {
    size_t longest = 0;
    *protocols = 0;
    unsigned letter = length == 0 ? 26 : (uint8_t)text[0] - (unsigned)'A';
    if (letter >= 26)
        return 0;
    for (unsigned i = first_with[letter]; i < first_with[letter + 1]; i++) {
        const char* name = methods[i].name;
        size_t same = 1;
        while (same < length && name[same] != '\0' && name[same] == text[same])
            same++;
        if (same > longest || (same == longest && name[same] == '\0')) {
            longest = same;
            *protocols = name[same] == '\0' ? methods[i].protocols : 0;
        }
    }
    return longest;
}

#define IS_UPPER(c) ((c) >= 'A' && (c) <= 'Z')
#define IS_ALNUM(c) (IS_UPPER(c) || ((c) >= 'a' && (c) <= 'z') || ((c) >= '0' && (c) <= '9'))
#define IS_MARK(c)                                                                          \
    ((c) == '!' || ((c) >= '#' && (c) <= '\'') || (c) == '*' || (c) == '+' || (c) == '-' || \
     (c) == '.' || ((c) >= '^' && (c) <= '`') || (c) == '|' || (c) == '~')
#define IS_SERVER(c)                                                                       \
    (IS_ALNUM(c) || (c) == '-' || (c) == '_' || (c) == '.' || (c) == '!' || (c) == '~' ||  \
     ((c) >= '&' && (c) <= ',') || (c) == '%' || (c) == ';' || (c) == ':' || (c) == '=' || \
     (c) == '$' || (c) == '[' || (c) == ']')
#define CLASSES(c)                                                               \
    ((IS_ALNUM(c) || IS_MARK(c) ? PH_HTTP_IN_TOKEN : 0) |                        \
     ((c) == '\t' || ((c) >= 32 && (c) != 127) ? PH_HTTP_IN_VALUE : 0) |         \
     ((c) > 32 && (c) < 127 && (c) != '?' && (c) != '#' ? PH_HTTP_IN_PATH : 0) | \
     (IS_SERVER(c) ? PH_HTTP_IN_SERVER : 0) | ((c) == '\t' || (c) >= 32 ? PH_HTTP_IN_QUOTES : 0))
#define FOUR(c) CLASSES(c), CLASSES((c) + 1), CLASSES((c) + 2), CLASSES((c) + 3)
#define SIXTEEN(c) FOUR(c), FOUR((c) + 4), FOUR((c) + 8), FOUR((c) + 12)
#define SIXTY_FOUR(c) SIXTEEN(c), SIXTEEN((c) + 16), SIXTEEN((c) + 32), SIXTEEN((c) + 48)
const uint8_t ph_http_classes[256] = {SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128),
                                      SIXTY_FOUR(192)};

bool ph_http_is_token(uint8_t c) {
    return (ph_http_classes[c] & PH_HTTP_IN_TOKEN) != 0;
}
