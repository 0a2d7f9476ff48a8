#ifndef PH_TOOLS_TRACE_STACKS_H
#define PH_TOOLS_TRACE_STACKS_H

/* Stacks that were taken while something took long (docs/TRACE_FORMAT.md): one tree of frames for
 * all of them, and samples that say when a thread was where in it. */

#include "read/model.h"
#include "read/symbols.h"

enum { NO_NODE = UINT32_MAX };

/* What takes less than the first has no stack; less than the second, one by chance. */
enum { STACKS_BRIEF_NS = 1000000, STACKS_LONG_NS = 10000000 };

struct stack_frame {
    uint32_t name;  /* in the file's names */
    bool own;       /* of the program, not of its runtime or the system's libraries */
    bool engine;    /* told by an engine */
    bool is_native; /* it stands for native code that an engine's function called */
};

struct stack_node {
    uint32_t parent; /* a lower number, or NO_NODE */
    uint32_t frame;
};

struct stack_sample {
    uint64_t time;   /* the clock */
    uint64_t since;  /* when what takes long began */
    uint64_t weight; /* ns that it stands for */
    int tid;
    uint32_t node; /* the innermost frame */
    bool used;     /* it is of a span that was found */
    bool late;     /* it was asked for long before: by then the thread may have been elsewhere */
};

struct stacks {
    struct trace_file* file;
    struct symbols* symbols;
    struct stack_frame* frames;
    size_t frame_count;
    struct stack_node* nodes;
    size_t node_count;
    struct stack_sample* samples; /* by thread, then by time */
    size_t sample_count;
    uint64_t steps; /* that naming spans has taken: a hostile file must not take many */
};

/* Adds the names of all frames to the file's. */
struct stacks* stacks_open(struct trace_file* file, struct symbols* symbols);
void stacks_close(struct stacks* stacks);

/* The samples of a thread between two times of the clock. */
const struct stack_sample* stacks_between(const struct stacks* stacks, int tid, uint64_t from,
                                          uint64_t to, size_t* count);

/*
 * Who took the time: following the heaviest branch from the outside for as long as it has half of
 * the time, the innermost function of the program; or else one that is in half of the stacks,
 * whoever called it; or else the innermost one of an engine on that branch, unless several
 * functions of the program have half of the time together.
 */
struct culprit {
    uint32_t name;   /* 0: not known */
    bool own;        /* it is the program's, not its engine's */
    bool engine;     /* it was told by an engine, not found in the machine's stack */
    bool in_native;  /* native code that it had called took most of the time */
    uint32_t native; /* what that was; 0: not known */
    uint32_t caller; /* the next function of the program around it that has a name; 0: none */
};
struct culprit stacks_culprit(const struct stacks* stacks, const struct stack_sample* samples,
                              size_t count);
/* Where several functions shared the time: those of the program that its runtime called, by what
 * they and all inside of them took, the longest first. */
struct stack_share {
    uint32_t name;
    double share;
};
size_t stacks_shares(const struct stacks* stacks, const struct stack_sample* samples, size_t count,
                     struct stack_share* shares, size_t most);
/* The function of the program that its runtime had called; 0: none. */
uint32_t stacks_entry(const struct stacks* stacks, const struct stack_sample* sample);
/* A function with this name is the program's, not its engine's. */
bool stacks_is_own(const struct stacks* stacks, uint32_t name);
/* Sets the culprits of a unit's callbacks that took long. Where an engine runs in callbacks of
 * native code, they are called what it told. */
void stacks_name_spans(struct stacks* stacks, const struct model* model, struct span* spans,
                       size_t count);
/* The way inwards that half of the time or more went, as far as it can be followed: its innermost
 * node, or NO_NODE, and its share of the time. Where it does not reach the program, the heaviest
 * stack. */
uint32_t stacks_branch(const struct stacks* stacks, const struct stack_sample* samples,
                       size_t count, double* share);
/* The heaviest of the stacks: its innermost node, or NO_NODE, and its share of the time. */
uint32_t stacks_heaviest(const struct stacks* stacks, const struct stack_sample* samples,
                         size_t count, double* share);

/* A thread as it was: binaries_unwind makes it a row of addresses, innermost first. */
struct raw_stack {
    uint64_t pc;
    uint64_t mask; /* of the registers that are known, by DWARF number */
    uint64_t registers[64];
    uint64_t from; /* where the bytes were: the stack pointer */
    const unsigned char* bytes;
    size_t size;
};

#endif
