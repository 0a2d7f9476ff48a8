#ifndef UV_VERSION_H
#define UV_VERSION_H

/* The libuv interface that this library speaks. */
#define UV_VERSION_MAJOR 1
#define UV_VERSION_MINOR 53
#define UV_VERSION_PATCH 0
#define UV_VERSION_IS_RELEASE 1
#define UV_VERSION_SUFFIX ""

#define UV_VERSION_HEX ((UV_VERSION_MAJOR << 16) | (UV_VERSION_MINOR << 8) | (UV_VERSION_PATCH))

#endif
