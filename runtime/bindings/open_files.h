/* The files that a worker has opened: those that are open when it ends are closed with it. The main
 * thread needs no such list, since the system closes its files. */
#ifndef PH_RUNTIME_OPEN_FILES_H
#define PH_RUNTIME_OPEN_FILES_H

#include "engine/engine.h"

void ph_open_files_add(ph_env* env, int fd);
void ph_open_files_remove(ph_env* env, int fd);
void ph_open_files_close(ph_env* env);

#endif
