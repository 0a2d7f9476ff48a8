/* Objects of other linkers: what dl_iterate_phdr tells of is made up here. */

// wrap: dl_iterate_phdr

#include "base/at_fork.h"

#include <elf.h>
#include <link.h>

#include "harness.h"

enum { SYMBOLS = 4, PARTS = 4, ENTRIES = 5 };

/* An object as it lies in memory. Its symbols are its very first bytes. */
struct image {
    ElfW(Sym) symbols[SYMBOLS];
    uint32_t hash[2]; /* how many symbols DT_HASH knows */
    uint32_t gnu_hash[2];
    char names[64];
    ElfW(Dyn) dynamic[ENTRIES];
    ElfW(Phdr) parts[PARTS];
};

static struct image images[2];
static struct dl_phdr_info objects[2];
static int object_count = 2;
static unsigned long long loaded; /* objects, ever */
static int looked_at;

int __wrap_dl_iterate_phdr(int (*callback)(struct dl_phdr_info*, size_t, void*), void* data);
int __wrap_dl_iterate_phdr(int (*callback)(struct dl_phdr_info*, size_t, void*), void* data) {
    int result = 0;
    looked_at = 0;
    for (int i = 0; i < object_count && result == 0; i++) {
        objects[i].dlpi_adds = loaded;
        looked_at++;
        result = callback(&objects[i], sizeof(objects[i]), data);
    }
    return result;
}

static void add_part(int object, ElfW(Word) type, uintptr_t begins, size_t size) {
    struct dl_phdr_info* info = &objects[object];
    images[object].parts[info->dlpi_phnum++] = (ElfW(Phdr)){
        .p_type = type, .p_vaddr = (ElfW(Addr))(begins - info->dlpi_addr), .p_memsz = size};
}

static void add_entry(int object, ElfW(Sxword) tag, const void* place) {
    ElfW(Dyn)* entry = images[object].dynamic;
    while (entry->d_tag != DT_NULL)
        entry++;
    *entry = (ElfW(Dyn)){.d_tag = tag, .d_un = {.d_ptr = (ElfW(Addr))(uintptr_t)place}};
}

/* Starts anew: two objects that await no forks and import "first", "second" and "third". */
static void make_objects(void) {
    static const char names[] = "\0first\0second\0third\0pthread_atfork\0__register_atfork";
    memset(images, 0, sizeof(images));
    memset(objects, 0, sizeof(objects));
    object_count = 2;
    loaded += 2;
    for (int i = 0; i < 2; i++) {
        struct image* image = &images[i];
        memcpy(image->names, names, sizeof(names));
        image->symbols[1].st_name = 1;
        image->symbols[2].st_name = 7;
        image->symbols[3].st_name = 14;
        image->hash[1] = SYMBOLS;
        image->gnu_hash[1] = SYMBOLS;
        objects[i].dlpi_addr = (ElfW(Addr))(uintptr_t)image;
        objects[i].dlpi_phdr = image->parts;
        add_part(i, PT_DYNAMIC, (uintptr_t)image->dynamic, sizeof(image->dynamic));
        add_entry(i, DT_SYMTAB, image->symbols);
        add_entry(i, DT_STRTAB, image->names);
    }
    add_part(0, PT_INTERP, 0, 0);
    add_entry(0, DT_GNU_HASH, images[0].gnu_hash);
    add_entry(1, DT_GNU_HASH, images[1].gnu_hash);
}

static void import_at(int object, int symbol, const char* name) {
    const char* names = images[object].names;
    size_t at = 1;
    while (strcmp(names + at, name) != 0)
        at += strlen(names + at) + 1;
    images[object].symbols[symbol].st_name = (ElfW(Word))at;
}

TEST(every_import_of_every_object_is_looked_at) {
    make_objects();
    CHECK(!ph_others_await_forks());
    CHECK_EQ(looked_at, 2);
    for (int object = 0; object < 2; object++)
        for (int symbol = 1; symbol < SYMBOLS; symbol++) {
            make_objects();
            import_at(object, symbol, symbol % 2 ? "pthread_atfork" : "__register_atfork");
            CHECK(ph_others_await_forks());
            CHECK_EQ(looked_at, object + 1);
        }
}

/* The first symbol is nobody's. */
TEST(what_an_object_has_itself_is_no_import) {
    make_objects();
    import_at(1, 0, "pthread_atfork");
    import_at(1, 2, "pthread_atfork");
    images[1].symbols[2].st_shndx = 1;
    CHECK(!ph_others_await_forks());
}

TEST(symbols_are_counted_by_the_older_table_if_there_is_no_newer_one) {
    make_objects();
    images[1].dynamic[2].d_tag = DT_HASH;
    images[1].dynamic[2].d_un.d_ptr = (ElfW(Addr))(uintptr_t)images[1].hash;
    CHECK(!ph_others_await_forks());
    loaded++;
    import_at(1, 3, "pthread_atfork");
    CHECK(ph_others_await_forks());
    for (int newer_first = 0; newer_first < 2; newer_first++) {
        make_objects();
        import_at(1, 3, "pthread_atfork");
        images[1].gnu_hash[1] = 3; /* it leaves the last one out */
        add_entry(1, DT_HASH, images[1].hash);
        if (!newer_first) {
            ElfW(Dyn) newer = images[1].dynamic[2];
            images[1].dynamic[2] = images[1].dynamic[3];
            images[1].dynamic[3] = newer;
        }
        CHECK(!ph_others_await_forks());
    }
}

TEST(tables_may_have_their_places_in_the_object_instead_of_in_memory) {
    for (int awaits = 0; awaits < 2; awaits++) {
        make_objects();
        for (int i = 1; i < 3; i++)
            images[1].dynamic[i].d_un.d_ptr -= objects[1].dlpi_addr;
        if (awaits)
            import_at(1, 1, "pthread_atfork");
        CHECK_EQ(ph_others_await_forks(), awaits);
    }
}

TEST(object_that_says_too_little_may_have_handlers) {
    static const ElfW(Sxword) tags[] = {DT_SYMTAB, DT_STRTAB, DT_GNU_HASH};
    for (int i = 0; i < 3; i++) {
        make_objects();
        CHECK_EQ(images[1].dynamic[i].d_tag, tags[i]);
        images[1].dynamic[i].d_tag = DT_DEBUG;
        CHECK(ph_others_await_forks());
    }
    make_objects();
    objects[1].dlpi_phnum = 0;
    CHECK(ph_others_await_forks());
}

TEST(program_without_an_interpreter_may_have_handlers) {
    make_objects();
    objects[0].dlpi_phnum = 1;
    CHECK(ph_others_await_forks());
    CHECK_EQ(looked_at, 1);
}

/* Its own handlers are none of others', wherever in the object they are. */
TEST(object_that_the_library_is_in_is_not_asked_for_its_imports) {
    uintptr_t own = (uintptr_t)ph_at_fork;
    const struct {
        uintptr_t begins;
        size_t size;
        bool is_own;
    } parts[] = {{own, 1, true}, {own - 8, 9, true}, {own - 8, 8, false}, {own + 1, 64, false}};
    for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
        make_objects();
        import_at(1, 1, "pthread_atfork");
        add_part(1, PT_LOAD, parts[i].begins, parts[i].size);
        add_part(1, PT_LOAD, own + 1, 64);
        CHECK_EQ(ph_others_await_forks(), !parts[i].is_own);
    }
    make_objects();
    import_at(1, 1, "pthread_atfork");
    objects[1].dlpi_phnum = 0;
    add_part(1, PT_LOAD, own, 1);
    add_part(1, PT_DYNAMIC, (uintptr_t)images[1].dynamic, sizeof(images[1].dynamic));
    CHECK(!ph_others_await_forks());
}

TEST(imports_are_looked_at_again_only_when_something_was_loaded) {
    for (int i = 0; i < 5; i++) {
        bool awaits = i % 2;
        make_objects();
        loaded += (unsigned)i;
        if (awaits)
            import_at(1, 1, "pthread_atfork");
        CHECK_EQ(ph_others_await_forks(), awaits);
        import_at(1, 1, awaits ? "first" : "pthread_atfork");
        CHECK_EQ(ph_others_await_forks(), awaits);
        CHECK_EQ(looked_at, 1);
        loaded++;
        CHECK_EQ(ph_others_await_forks(), !awaits);
    }
}
