# Modules are freed with their context, whoever counts on them: functions that wait for a module do
# not look at it when they are freed themselves.
without("a worker that ends while its module awaits reads freed memory")
replace("        for(i = 0; i < s->data_len; i++) {
            JS_FreeValueRT(rt, s->data[i]);
        }
        js_free_rt(rt, s);
    }
}

static void js_c_function_data_mark("
        "        for(i = 0; i < s->data_len; i++) {
            if (JS_VALUE_GET_TAG(s->data[i]) != JS_TAG_MODULE)
                JS_FreeValueRT(rt, s->data[i]);
        }
        js_free_rt(rt, s);
    }
}

static void js_c_function_data_mark(")
