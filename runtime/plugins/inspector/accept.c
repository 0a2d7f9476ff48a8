/* The answer to a WebSocket client's key: SHA-1 of the key and a fixed text, in base64. It proves
 * nothing and protects nothing; it shows that the server speaks the protocol. */
#include <stdio.h>
#include <string.h>

#include "websocket.h"

static uint32_t rotate(uint32_t x, int n) {
    return x << n | x >> (32 - n);
}

static void sha1_block(uint32_t h[5], const uint8_t* block) {
    uint32_t w[80];
    for (size_t i = 0; i < 16; i++)
        w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
               (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 80; i++)
        w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    uint32_t a = h[0], b = h[1], c = h[2], d = h[3], e = h[4];
    for (int i = 0; i < 80; i++) {
        uint32_t f = i < 20   ? (b & c) | (~b & d)
                     : i < 40 ? b ^ c ^ d
                     : i < 60 ? (b & c) | (b & d) | (c & d)
                              : b ^ c ^ d;
        static const uint32_t k[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        uint32_t next = rotate(a, 5) + f + e + k[i / 20] + w[i];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    h[0] += a;
    h[1] += b;
    h[2] += c;
    h[3] += d;
    h[4] += e;
}

/* Of at most 119 bytes. */
static void sha1(const char* text, size_t length, uint8_t digest[20]) {
    uint8_t blocks[128] = {0};
    uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    size_t whole = length < 56 ? 64 : 128;
    memcpy(blocks, text, length);
    blocks[length] = 0x80;
    for (int i = 0; i < 8; i++)
        blocks[whole - 1 - (size_t)i] = (uint8_t)((uint64_t)length * 8 >> (8 * i));
    for (size_t at = 0; at < whole; at += 64)
        sha1_block(h, blocks + at);
    for (int i = 0; i < 20; i++)
        digest[i] = (uint8_t)(h[i / 4] >> (24 - 8 * (i % 4)));
}

void ph_ws_accept(const char* key, char answer[PH_WS_ACCEPT_BYTES]) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char text[120];
    uint8_t digest[21] = {0};
    /* Keys have 24 characters; what is longer is cut, and the client sees that the answer is wrong.
     */
    int length = snprintf(text, sizeof(text), "%.80s258EAFA5-E914-47DA-95CA-C5AB0DC85B11", key);
    sha1(text, (size_t)length, digest);
    for (size_t i = 0; i < 7; i++) {
        uint32_t three =
            (uint32_t)digest[3 * i] << 16 | (uint32_t)digest[3 * i + 1] << 8 | digest[3 * i + 2];
        for (size_t j = 0; j < 4; j++)
            answer[4 * i + j] = digits[three >> (18 - 6 * j) & 63];
    }
    answer[27] = '=';
    answer[28] = '\0';
}
