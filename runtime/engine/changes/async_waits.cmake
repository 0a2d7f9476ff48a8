# Atomics.waitAsync: the engine keeps who waits, the runtime makes and settles the promises
# (runtime/bindings/waits.c).
without("there is no Atomics.waitAsync")
replace("typedef struct JSAtomicsWaiter {
    struct list_head link;
    bool linked;"
        "typedef struct JSAtomicsWaiter {
    struct list_head link;
    bool linked;
    void (*told)(void *data); /* instead of the signal */
    void *data;")
replace("    js_cond_init(&waiter->cond);
    waiter->linked = true;"
        "    js_cond_init(&waiter->cond);
    waiter->told = NULL;
    waiter->linked = true;")
replace("            waiter = list_entry(el, JSAtomicsWaiter, link);
            js_cond_signal(&waiter->cond);"
        "            waiter = list_entry(el, JSAtomicsWaiter, link);
            if (waiter->told)
                waiter->told(waiter->data);
            else
                js_cond_signal(&waiter->cond);")
insert_file_before("static const JSCFunctionListEntry js_atomics_funcs[] = {" async_waits.c)
replace("    JS_CFUNC_DEF(\"notify\", 3, js_atomics_notify ),"
        "    JS_CFUNC_DEF(\"notify\", 3, js_atomics_notify ),
    JS_CFUNC_DEF(\"waitAsync\", 4, js_atomics_wait_async ),")
