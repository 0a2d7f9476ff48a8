#ifndef PH_CORE_DISPATCH_H
#define PH_CORE_DISPATCH_H

/*
 * The only place that calls a user's callback: PH_DISPATCH(loop, subject, function, arguments...).
 * `subject` is the handle or request that the callback belongs to. The callback may do anything
 * that the API allows, closing the subject or freeing a request included: don't touch either
 * afterwards without knowing that it is still there.
 */

#include "hooks.h"

#define PH_DISPATCH(loop_, subject, function, ...)                                            \
    do {                                                                                      \
        const struct ph_hooks* watcher_ = ph_watcher();                                       \
        if (PH_IS_THERE(watcher_)) {                                                          \
            bool told_ = watcher_->callback_begins((loop_), (subject), (uintptr_t)(function), \
                                                   PH_CALLBACK_KIND(function));               \
            (function)(__VA_ARGS__);                                                          \
            if (told_)                                                                        \
                watcher_->callback_ends();                                                    \
        } else {                                                                              \
            (function)(__VA_ARGS__);                                                          \
        }                                                                                     \
    } while (0)

#endif
