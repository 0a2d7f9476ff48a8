#ifndef PH_TOOLS_TRACE_LUA_NAMES_H
#define PH_TOOLS_TRACE_LUA_NAMES_H

/*
 * Functions of Lua have no names: Lua says what the caller called one, "callback" most often. Where
 * the file is there, the name that is written at its beginning is taken: "function Parser:read(",
 * "local function read(", "read = function(".
 */

#include "read/file.h"

/* Of all names of the file. A script that was changed since the recording is left alone. */
void lua_names_apply(struct trace_file* file);

#endif
