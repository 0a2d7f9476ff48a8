/* Unwinds copies of stacks by the tables for exceptions that binaries have, or their debug
 * information. */

#include "read/memory.h"
#include "read/stacks.h"
#include "read/symbols_dw.h"

struct walk {
    struct binaries* binaries;
    uint64_t* addresses;
    size_t count;
    size_t most;
};

/* libdwfl keeps one set of callbacks and one argument for good: this is what it asks for now. */
static const struct raw_stack* current;

static pid_t next_thread(Dwfl* dwfl, void* argument, void** thread_argument) {
    (void)dwfl;
    (void)argument;
    (void)thread_argument;
    return 0;
}

static bool get_thread(Dwfl* dwfl, pid_t tid, void* argument, void** thread_argument) {
    (void)dwfl;
    (void)tid;
    (void)argument;
    *thread_argument = NULL;
    return true;
}

static bool read_memory(Dwfl* dwfl, Dwarf_Addr address, Dwarf_Word* result, void* argument) {
    (void)dwfl;
    (void)argument;
    uint64_t at = address - current->from;
    if (address < current->from || current->size < sizeof(*result) ||
        at > current->size - sizeof(*result))
        return false;
    memcpy(result, current->bytes + at, sizeof(*result));
    return true;
}

static bool set_registers(Dwfl_Thread* thread, void* argument) {
    (void)argument;
    for (unsigned i = 0; i < 64; i++)
        if ((current->mask >> i & 1) &&
            !dwfl_thread_state_registers(thread, (int)i, 1, &current->registers[i]))
            return false;
    dwfl_thread_state_register_pc(thread, current->pc);
    return true;
}

static const Dwfl_Thread_Callbacks callbacks = {.next_thread = next_thread,
                                                .get_thread = get_thread,
                                                .memory_read = read_memory,
                                                .set_initial_registers = set_registers};

/* Code that an engine has made, and some of its own, has no tables: from there on one could only
 * guess. */
static bool has_table(struct binaries* binaries, uint64_t address) {
    Dwfl_Module* module = binaries_module(binaries, address);
    Dwarf_Addr bias;
    Dwarf_CFI* tables[2] = {NULL, NULL};
    bool found = false;
    if (module != NULL)
        tables[0] = dwfl_module_eh_cfi(module, &bias);
    for (int i = 0; i < 2 && module != NULL && !found; i++) {
        Dwarf_Frame* frame;
        if (i == 1)
            tables[1] = dwfl_module_dwarf_cfi(module, &bias);
        found = tables[i] != NULL && dwarf_cfi_addrframe(tables[i], address - bias, &frame) == 0;
        if (found)
            free(frame);
    }
    return found;
}

static int on_frame(Dwfl_Frame* frame, void* argument) {
    struct walk* walk = argument;
    Dwarf_Addr address;
    if (walk->count == walk->most || !dwfl_frame_pc(frame, &address, NULL))
        return DWARF_CB_ABORT;
    bool known = has_table(walk->binaries, address - (walk->count > 0));
    /* Where it is may have a name all the same. */
    if (known || (walk->count == 0 && binaries_module(walk->binaries, address) != NULL))
        walk->addresses[walk->count++] = address;
    return known ? DWARF_CB_OK : DWARF_CB_ABORT;
}

size_t binaries_dw_unwind(struct binaries* binaries, const struct raw_stack* raw,
                          uint64_t* addresses, size_t most) {
    struct walk walk = {binaries, addresses, 0, most};
    Dwfl* dwfl = binaries_dwfl(binaries);
    current = raw;
    /* Twice for the same process it does nothing. */
    if (dwfl != NULL &&
        (dwfl_pid(dwfl) != -1 || dwfl_attach_state(dwfl, NULL, 1, &callbacks, NULL)))
        dwfl_getthread_frames(dwfl, 1, on_frame, &walk);
    return walk.count;
}
