/* What the files of this plug-in share: ICU's tables, behind names of hosts and encodings of text.
 */
#ifndef PH_PLUGIN_ICU_H
#define PH_PLUGIN_ICU_H

#include "engine/plugins.h"

/* toASCII(name) and toUnicode(name): UTS 46; null if the name is not allowed. */
JSValue icu_to_ascii(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv);
JSValue icu_to_unicode(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv);

/* open(encoding, isFatal): a decoder, or null if ICU does not know the encoding. */
JSValue icu_open(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv);
/* decode(decoder, bytes, isLast): text, or null if the bytes are wrong and the decoder is fatal. */
JSValue icu_decode(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv);

#endif
