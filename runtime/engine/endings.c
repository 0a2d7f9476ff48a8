#include "engine/endings.h"

void ph_ending_add(ph_env* env, ph_ending* ending) {
    ending->next = env->endings;
    ending->link = &env->endings;
    if (ending->next != NULL)
        ending->next->link = &ending->next;
    env->endings = ending;
}

void ph_ending_remove(ph_ending* ending) {
    if (ending->link == NULL)
        return;
    *ending->link = ending->next;
    if (ending->next != NULL)
        ending->next->link = ending->link;
    ending->link = NULL;
}

void ph_endings_run(ph_env* env) {
    while (env->endings != NULL) {
        ph_ending* ending = env->endings;
        ph_ending_remove(ending);
        ending->run(ending);
    }
}
