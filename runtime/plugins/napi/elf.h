#ifndef PH_NAPI_ELF_H
#define PH_NAPI_ELF_H

/* The name of a symbol of V8's or Node's own C++ interface that the library needs, from malloc;
 * NULL if it needs none or can't be read. */
char* napi_needs_v8(const char* path);

#endif
