#include "world/rdrand.h"

#if defined(__x86_64__) && !defined(PHASOR_PLAIN_PROCESSOR)

#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "world/preempt.h"
#include "world/raw.h"
#include "world/world.h"

/* RDRAND and RDSEED are 0F C7 and a byte that names a register, F0 to FF, behind prefixes; UD2 is
 * 0F 0B. */
enum { ESCAPE = 0x0f, OPCODE = 0xc7, UD2 = 0x0b, FIRST_REGISTER = 0xf0 };
enum { WORD_PREFIX = 0x66, REX = 0x40, REX_WIDE = 8, REX_HIGH = 1 };
enum { CARRY = 1, RESULT_FLAGS = 0x8d5 }; /* carry, parity, adjust, zero, sign, overflow */
enum { MOST = 256, LOOK_BEHIND = 16, SMALL = 512 * 1024 };

static const unsigned char* places[MOST]; /* of the escape bytes */
static unsigned count;

/* In a small object these three bytes are no part of a distance, which would lead out of it. In a
 * large one only what asks next whether there was something to draw is believed: few other bytes
 * behind these three would read that flag. */
static bool asks_for_carry(const unsigned char* code, const unsigned char* end) {
    for (int i = 0; i < LOOK_BEHIND && code + i + 1 < end; i++) {
        unsigned char one = code[i], two = code[i + 1];
        if (one == 0x72 || one == 0x73 || one == 0x13 || one == 0x11 || one == 0x19)
            return true;
        if (one == ESCAPE && (two == 0x92 || two == 0x93 || two == 0x82 || two == 0x83 ||
                              two == 0x42 || two == 0x43))
            return true;
        if (one == 0x83 && two >= 0xd0 && two <= 0xd7)
            return true;
    }
    return false;
}

static void make_illegal(unsigned char* place) {
    uintptr_t page = (uintptr_t)place & ~(uintptr_t)4095;
    size_t size = (uintptr_t)place + 2 - page;
    if (count == MOST ||
        mprotect((void*)page, size, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) /* NOLINT */
        return;
    place[1] = UD2;
    mprotect((void*)page, size, PROT_READ | PROT_EXEC); /* NOLINT */
    places[count++] = place;
}

static void search(unsigned char* from, unsigned char* to) {
    unsigned char* place = from;
    bool is_small = to - from <= SMALL;
    while (place + 2 < to && (place = memchr(place, OPCODE, (size_t)(to - place))) != NULL) {
        if (place > from && place + 1 < to && place[-1] == ESCAPE && place[1] >= FIRST_REGISTER &&
            (is_small || asks_for_carry(place + 2, to)))
            make_illegal(place - 1);
        place++;
    }
}

static int search_object(struct dl_phdr_info* object, size_t size, void* data) {
    const char* name = object->dlpi_name;
    (void)size;
    (void)data;
    if (strstr(name, "/libc.so") != NULL || strstr(name, "ld-linux") != NULL ||
        strstr(name, "vdso") != NULL || strstr(name, "/phasor/sim/") != NULL)
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr)* part = &object->dlpi_phdr[i];
        unsigned char* from = (unsigned char*)(object->dlpi_addr + part->p_vaddr); /* NOLINT */
        if (part->p_type == PT_LOAD && (part->p_flags & PF_X))
            search(from, from + part->p_filesz);
    }
    return 0;
}

/* The chance of engines is ours already. */
void ph_rdrand_begin(void) {
    if (ph_preempts_program())
        dl_iterate_phdr(search_object, NULL);
}

static bool is_known(const unsigned char* place) {
    for (unsigned i = 0; i < count; i++)
        if (places[i] == place)
            return true;
    return false;
}

static uint64_t drawn(void) {
    uint64_t value = 0;
    if (ph_world == NULL) {
        if (getrandom(&value, sizeof(value), 0) != sizeof(value))
            value = 0;
        return value;
    }
    ph_world_lock();
    value = ph_draw(PH_CHANCE_BYTES);
    ph_world_unlock();
    return value;
}

bool ph_rdrand_answer(greg_t* registers) {
    static const int numbers[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                    REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                    REG_R12, REG_R13, REG_R14, REG_R15};
    const unsigned char* code = (const unsigned char*)registers[REG_RIP]; /* NOLINT */
    const unsigned char* begin = code;
    bool word = false;
    unsigned rex = 0;
    for (; *code == WORD_PREFIX; code++)
        word = true;
    if ((*code & 0xf0) == REX)
        rex = *code++;
    if (!is_known(code))
        return false;
    greg_t* target = &registers[numbers[(code[2] & 7) | ((rex & REX_HIGH) ? 8 : 0)]];
    uint64_t value = drawn();
    if (rex & REX_WIDE)
        *target = (greg_t)value;
    else if (word)
        *target = (greg_t)(((uint64_t)*target & ~UINT64_C(0xffff)) | (value & 0xffff));
    else
        *target = (greg_t)(value & UINT32_MAX);
    registers[REG_EFL] = (registers[REG_EFL] & ~(greg_t)RESULT_FLAGS) | CARRY;
    registers[REG_RIP] += code + 3 - begin;
    return true;
}

#else

void ph_rdrand_begin(void) {}

bool ph_rdrand_answer(greg_t* registers) {
    (void)registers;
    return false;
}

#endif
