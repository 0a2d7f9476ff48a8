/*
 * A chat with actors: the room and each guest are actors on several loops. The room has a bug: a
 * certain message makes it fail. It begins again, and the guests, who are told nothing of that,
 * join again with their next words.
 */
#include <phasor_go.h>

#include <string.h>

#include "must.h"

enum { GUESTS = 3, TEXT = 64 };

struct words {
    char from[GO_NAME_SIZE];
    char text[TEXT];
};

struct room {
    go_actor_t* guests[GUESTS];
    int count;
};

static go_channel_t* said; /* what the guests hear, for the one who prints it */

static void join(struct room* room, const char* name) {
    for (int i = 0; i < room->count; i++)
        if (strcmp(go_actor_name(room->guests[i]), name) == 0)
            return;
    go_actor_t* guest = go_actor_find(name);
    if (guest != NULL && room->count < GUESTS)
        room->guests[room->count++] = guest;
}

static int hear_words(go_actor_t* self, const void* message, size_t size) {
    struct room* room = go_actor_state(self);
    const struct words* words = message;
    (void)size;
    if (strcmp(words->text, "crash") == 0)
        return UV_EIO;
    join(room, words->from);
    for (int i = 0; i < room->count; i++)
        if (strcmp(go_actor_name(room->guests[i]), words->from) != 0)
            go_actor_send(room->guests[i], words, sizeof(*words));
    return 0;
}

static void leave_room(go_actor_t* self, int why) {
    struct room* room = go_actor_state(self);
    (void)why;
    for (int i = 0; i < room->count; i++)
        go_actor_release(room->guests[i]);
}

static go_suspends int be_told(go_actor_t* self, const void* message, size_t size) {
    struct words heard = *(const struct words*)message;
    char line[160];
    (void)size;
    snprintf(line, sizeof(line), "%s hears %s: %s", go_actor_name(self), heard.from, heard.text);
    return go_send(said, line, GO_NEVER);
}

static int compare(const void* a, const void* b) {
    return strcmp(a, b);
}

/* Says something, and prints what `count` guests hear of it, in the order of their names. */
static go_suspends void say(const char* from, const char* text, int count) {
    struct words words = {"", ""};
    char lines[GUESTS][160];
    go_actor_t* room = go_actor_find("room");
    snprintf(words.from, sizeof(words.from), "%s", from);
    snprintf(words.text, sizeof(words.text), "%s", text);
    MUST(go_actor_send(room, &words, sizeof(words)));
    go_actor_release(room);
    for (int i = 0; i < count; i++)
        MUST(go_receive(said, lines[i], go_after(30000)));
    qsort(lines, (size_t)count, sizeof(lines[0]), compare);
    for (int i = 0; i < count; i++)
        printf("%s\n", lines[i]);
}

static int talk(void* arg) {
    (void)arg;
    say("Ada", "hello", 0);
    say("Bob", "good morning", 1);
    say("Cleo", "hi all", 2);
    say("Bob", "crash", 0);
    say("Ada", "where is everybody?", 0);
    say("Bob", "back again", 1);
    say("Cleo", "me too", 2);
    return 0;
}

int main(void) {
    static const char* names[GUESTS] = {"Ada", "Bob", "Cleo"};
    go_workers_t* workers;
    said = go_channel_new_shared(160, 0);
    MUST(go_workers_start(&workers, 3));
    MUST(go_actor_start(workers,
                        &(go_actor_options_t){.name = "room",
                                              .receive = hear_words,
                                              .end = leave_room,
                                              .state_size = sizeof(struct room),
                                              .restarts = 5,
                                              .pause_ms = 1},
                        NULL));
    for (int i = 0; i < GUESTS; i++)
        MUST(go_actor_start(workers, &(go_actor_options_t){.name = names[i], .receive = be_told},
                            NULL));
    MUST(go_main(talk, NULL));
    go_workers_stop(workers);
    go_channel_free(said);
    return 0;
}
