#ifndef GO_BENCH_H
#define GO_BENCH_H

/* Processor time per message of an echo server with so many connections; `kind` is "callbacks" or
 * "coroutines". */
void bench_echo(const char* kind, int connections, long messages);

#endif
