/* The loop as a source of GLib's main loop. */

#include <glib.h>

#include "embedded.h"

struct loop_source {
    GSource source;
    uv_loop_t* loop;
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
    self->runs++;
    if (uv_run(self->loop, UV_RUN_NOWAIT) != 0)
        return G_SOURCE_CONTINUE;
    g_main_loop_quit(data);
    return G_SOURCE_REMOVE;
}

static gboolean on_glib_timer(gpointer data) {
    (void)data;
    puts("GLib's timer");
    return G_SOURCE_REMOVE;
}

static void ignore(gpointer data) {
    (void)data;
}

int main(void) {
    static GSourceFuncs functions = {.prepare = prepare, .check = check, .dispatch = dispatch};
    uv_loop_t* loop = uv_default_loop();
    GMainLoop* main_loop = g_main_loop_new(NULL, FALSE);
    GSource* source = g_source_new(&functions, sizeof(struct loop_source));
    struct loop_source* self = (struct loop_source*)source;
    self->loop = loop;
    self->tag = g_source_add_unix_fd(source, uv_backend_fd(loop), G_IO_IN);
    g_source_set_callback(source, on_glib_timer, main_loop, ignore);
    g_source_attach(source, NULL);
    /* Before ours where both are due: the output is the same on a busy machine. */
    g_timeout_add_full(G_PRIORITY_HIGH, 1, on_glib_timer, NULL, NULL);

    start_embedded(loop);
    g_main_loop_run(main_loop);
    say_runs(self->runs);
    g_source_unref(source);
    g_main_loop_unref(main_loop);
    return close_loop(loop);
}
