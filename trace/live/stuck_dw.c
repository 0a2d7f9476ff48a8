/* The functions that a stopped thread is in, with libdw. */

#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

#include "live/stuck_dw.h"

static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                         .find_debuginfo = dwfl_standard_find_debuginfo};

struct looking {
    Dwfl* dwfl;
    struct stuck_place* place;
    Dwfl_Module* innermost;
    bool elsewhere; /* a frame of another module was seen */
};

/* Whoever is in one of these may hold a lock that starting a recording needs. */
static bool handles_memory(const char* name, const char* file) {
    static const char* const names[] = {"malloc",         "free",          "calloc",   "realloc",
                                        "posix_memalign", "aligned_alloc", "memalign", "dlopen",
                                        "dlclose",        "dlsym",         "fork",     "vfork"};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return strncmp(name, "_int_", 5) == 0 || strncmp(name, "_dl_", 4) == 0 ||
           strncmp(name, "phasor_trace_", 13) == 0 || strncmp(name, "ph_trace_", 9) == 0 ||
           strncmp(name, "pthread_create", 14) == 0 || strstr(file, "/ld-linux") != NULL ||
           strstr(file, "libphasor-trace.so") != NULL || strstr(file, "malloc") != NULL;
}

/* The C library's own way into the kernel. */
static bool is_entry(const char* name) {
    return strncmp(name, "__syscall_cancel", 16) == 0 ||
           strncmp(name, "__internal_syscall_cancel", 25) == 0;
}

static void add_frame(struct stuck_place* place, Dwfl_Module* module, Dwarf_Addr address,
                      const char* name) {
    int number = 0;
    Dwfl_Line* line = module != NULL ? dwfl_module_getsrc(module, address) : NULL;
    const char* file = line != NULL ? dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL) : NULL;
    char* to = place->frames[place->count++];
    if (file != NULL)
        snprintf(to, STUCK_NAME, "%.120s (%.60s:%d)", name,
                 strrchr(file, '/') != NULL ? strrchr(file, '/') + 1 : file, number);
    else
        snprintf(to, STUCK_NAME, "%.150s", name);
}

static int on_frame(Dwfl_Frame* frame, void* data) {
    struct looking* looking = data;
    struct stuck_place* place = looking->place;
    Dwarf_Addr address;
    bool is_active;
    if (!dwfl_frame_pc(frame, &address, &is_active))
        return DWARF_CB_ABORT;
    if (!is_active)
        address--;
    Dwfl_Module* module = dwfl_addrmodule(looking->dwfl, address);
    const char* name = module != NULL ? dwfl_module_addrname(module, address) : NULL;
    const char* file =
        module != NULL ? dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL) : NULL;
    name = name != NULL ? name : "?";
    file = file != NULL ? file : "";
    bool is_ours = strstr(file, "libuv.so") != NULL;
    place->in_allocator |= handles_memory(name, file);
    if (looking->innermost == NULL)
        looking->innermost = module;
    looking->elsewhere |= module != looking->innermost;
    place->asleep |= !looking->elsewhere && strncmp(name, "epoll_", 6) == 0;
    if (strcmp(name, "uv_run") == 0) {
        place->in_loop = true;
        return DWARF_CB_ABORT;
    }
    if (!is_ours && !is_entry(name) && place->count < STUCK_FRAMES)
        add_frame(place, module, address, name);
    return DWARF_CB_OK;
}

bool stuck_dw_look(pid_t pid, pid_t tid, struct stuck_place* place) {
    struct looking looking = {.dwfl = dwfl_begin(&callbacks), .place = place};
    *place = (struct stuck_place){.tid = tid};
    if (looking.dwfl == NULL)
        return false;
    bool ready = dwfl_linux_proc_report(looking.dwfl, pid) == 0 &&
                 dwfl_report_end(looking.dwfl, NULL, NULL) == 0 &&
                 dwfl_linux_proc_attach(looking.dwfl, pid, true) >= 0;
    if (ready)
        dwfl_getthread_frames(looking.dwfl, tid, on_frame, &looking);
    dwfl_end(looking.dwfl);
    return ready;
}
