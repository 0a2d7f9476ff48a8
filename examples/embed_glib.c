/* The loop as a source of GLib's main loop. */

#include <glib.h>

#include "embedded.h"

struct loop_source {
    GSource source;
    uv_loop_t* loop;
    GMainLoop* main_loop;
    gpointer tag;
    int runs;
};

/* The timeout counts from the loop's own idea of now, which only uv_run changes otherwise. */
static int time_left(uv_loop_t* loop) {
    uv_update_time(loop);
    return uv_backend_timeout(loop);
}

/* Before the wait: TRUE if there is something to do without waiting. */
static gboolean prepare(GSource* source, int* timeout) {
    *timeout = time_left(((struct loop_source*)source)->loop);
    return *timeout == 0;
}

/* After it. */
static gboolean check(GSource* source) {
    struct loop_source* self = (struct loop_source*)source;
    return g_source_query_unix_fd(source, self->tag) != 0 || time_left(self->loop) == 0;
}

static gboolean dispatch(GSource* source, GSourceFunc callback, gpointer data) {
    struct loop_source* self = (struct loop_source*)source;
    (void)callback;
    (void)data;
    self->runs++;
    if (uv_run(self->loop, UV_RUN_NOWAIT) != 0)
        return G_SOURCE_CONTINUE;
    g_main_loop_quit(self->main_loop);
    return G_SOURCE_REMOVE;
}

/* The loop begins here, so that the output is the same on a busy machine. */
static gboolean on_glib_timer(gpointer data) {
    struct loop_source* self = data;
    puts("GLib's timer");
    start_embedded(self->loop);
    g_source_attach(&self->source, NULL);
    return G_SOURCE_REMOVE;
}

int main(void) {
    static GSourceFuncs functions = {.prepare = prepare, .check = check, .dispatch = dispatch};
    uv_loop_t* loop = uv_default_loop();
    GSource* source = g_source_new(&functions, sizeof(struct loop_source));
    struct loop_source* self = (struct loop_source*)source;
    self->loop = loop;
    self->main_loop = g_main_loop_new(NULL, FALSE);
    self->tag = g_source_add_unix_fd(source, uv_backend_fd(loop), G_IO_IN);
    g_timeout_add(1, on_glib_timer, self);
    g_main_loop_run(self->main_loop);
    say_runs(self->runs);
    g_main_loop_unref(self->main_loop);
    g_source_unref(source);
    return close_loop(loop);
}
