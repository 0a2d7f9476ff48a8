#ifndef PH_TOOLS_TRACE_SYMBOLS_H
#define PH_TOOLS_TRACE_SYMBOLS_H

/* Names of functions by address, from the binaries that a process had mapped and their debug files.
 */

#include <stdint.h>

#include "read/file.h"

struct symbols;

struct symbols* symbols_open(const struct trace_file* file);
void symbols_close(struct symbols* symbols);
/* "function", "function (file:line)", or "library+0x1234", or "0x1234"; lives as long as symbols.
 */
const char* symbols_name(struct symbols* symbols, uint64_t address);
/* The function that an address lies in, as above, without the place in it; "(library)" where it is
 * not known. */
void symbols_frame(struct symbols* symbols, uint64_t address, char* out, size_t size);
/* The file that the address was mapped from, without its folders; false, and "": none. */
bool symbols_module(const struct symbols* symbols, uint64_t address, char* out, size_t size);
/* A copy of a stack as a row of addresses, innermost first. */
struct raw_stack;
size_t symbols_unwind(struct symbols* symbols, const struct raw_stack* raw, uint64_t* addresses,
                      size_t most);
/* A sentence about binaries that are not those of the recording any more, or NULL. */
const char* symbols_problem(const struct symbols* symbols);

/* For symbols.c: what a binary says (binaries.c). */
struct binaries;
struct binaries* binaries_open(const struct trace_file* file);
void binaries_close(struct binaries* binaries);
/* NULL when no function is known there. The result is allocated. */
char* binaries_function(struct binaries* binaries, uint64_t address);
const char* binaries_problem(const struct binaries* binaries);
/* Where the function that the address lies in begins; 0: not known. */
uint64_t binaries_start(struct binaries* binaries, uint64_t address);
/* See symbols_unwind. */
size_t binaries_unwind(struct binaries* binaries, const struct raw_stack* raw, uint64_t* addresses,
                       size_t most);

#endif
