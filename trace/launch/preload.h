#ifndef PH_TOOLS_TRACE_PRELOAD_H
#define PH_TOOLS_TRACE_PRELOAD_H

/* Has the file, which `name` says from the folder of our libuv.so.1 on, loaded before all others by
 * the program that this process becomes, and by what it starts. */
void trace_preload(const char* library, const char* name);

#endif
