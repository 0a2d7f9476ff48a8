#ifndef PH_NET_IDNA_H
#define PH_NET_IDNA_H

#include <stddef.h>

enum { PH_HOST_NAME_SIZE = 256 }; /* the longest name, and its end */

/*
 * A host name in UTF-8 becomes the ASCII that name servers know: labels with other characters are
 * written in punycode ("xn--..."), the wide full stops become dots. Upper case stays.
 * Returns the length; UV_EINVAL for an empty name or one that is not UTF-8; UV_ENAMETOOLONG if the
 * result and its end don't fit: nothing is ever cut.
 */
int ph_idna_to_ascii(const char* name, char* ascii, size_t size);

#endif
