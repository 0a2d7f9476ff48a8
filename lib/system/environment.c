/* Environment variables. Like the C library's own functions, not safe against another thread that
 * changes them at the same time. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/copy_out.h"
#include "base/error.h"
#include "uv.h"

int uv_os_getenv(const char* name, char* buffer, size_t* size) {
    if (name == NULL || buffer == NULL || size == NULL || *size == 0)
        return UV_EINVAL;
    const char* value = getenv(name);
    if (value == NULL)
        return UV_ENOENT;
    return ph_copy_out(value, strlen(value), buffer, size);
}

int uv_os_setenv(const char* name, const char* value) {
    if (name == NULL || value == NULL)
        return UV_EINVAL;
    return setenv(name, value, 1) == 0 ? 0 : ph_errno();
}

int uv_os_unsetenv(const char* name) {
    if (name == NULL)
        return UV_EINVAL;
    return unsetenv(name) == 0 ? 0 : ph_errno();
}

/* One block: the items, then a copy of each variable, cut in two at its first '='. What has no '='
 * is not a variable. */
int uv_os_environ(uv_env_item_t** envitems, int* count) {
    size_t number = 0, bytes = 0;
    *envitems = NULL;
    *count = 0;
    for (char** variable = environ; variable != NULL && *variable != NULL; variable++)
        if (strchr(*variable, '=') != NULL) {
            number++;
            bytes += strlen(*variable) + 1;
        }
    if (number == 0)
        return 0;
    uv_env_item_t* items = ph_malloc(number * sizeof(*items) + bytes);
    if (items == NULL)
        return UV_ENOMEM;
    char* text = (char*)(items + number);
    uv_env_item_t* item = items;
    for (char** variable = environ; *variable != NULL; variable++) {
        const char* equals = strchr(*variable, '=');
        if (equals == NULL)
            continue;
        size_t name_length = (size_t)(equals - *variable), size = strlen(*variable) + 1;
        memcpy(text, *variable, size);
        text[name_length] = '\0';
        item->name = text;
        item->value = text + name_length + 1;
        item++;
        text += size;
    }
    *envitems = items;
    *count = (int)number;
    return 0;
}

void uv_os_free_environ(uv_env_item_t* envitems, int count) {
    (void)count;
    ph_free(envitems);
}
