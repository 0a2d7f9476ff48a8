#ifndef PH_SIM_JOURNAL_H
#define PH_SIM_JOURNAL_H

/*
 * What a host has written and not synced. When it crashes, all of it is undone, newest first, as if
 * the disk had never seen it. Syncing a file makes its content, its size and its making last;
 * syncing a folder makes names that were made, moved or removed in it last.
 */

#include <stddef.h>
#include <sys/types.h>

/* Before the change is made; offset -1: where the descriptor stands. */
void ph_journal_write(int fd, off_t offset, size_t size);
void ph_journal_truncate(int fd, off_t size);
void ph_journal_truncate_path(const char* path);
void ph_journal_rename(const char* from, const char* to);
void ph_journal_unlink(const char* path);
/* After it. */
void ph_journal_created(const char* path);
void ph_journal_synced(int fd);
void ph_journal_undo(int host);

#endif
