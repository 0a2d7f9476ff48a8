typedef struct js_mark_place {
    int line, column, kind;
} js_mark_place;
static __thread js_mark_place* js_marks;
static __thread int js_mark_count;
/* Whether texts that are compiled from now on have marks. */
bool js_marks_statements;
/* Told of each mark that is reached; nonzero: an exception is pending. */
int (*js_statement_hook)(JSContext* ctx);
/* Told of each exception as it leaves an instruction of a function. */
void (*js_throw_hook)(JSContext* ctx);
/* Told of each text that was compiled, and where its marks are. */
void (*js_script_hook)(JSContext* ctx, const char* source, size_t length, const char* file,
                       int flags, const js_mark_place* marks, int count);
