#ifndef PH_SIM_JOURNAL_H
#define PH_SIM_JOURNAL_H

/*
 * What a host's disk has for certain, and what it may not have yet. Of every file that a host opens
 * for writing or writes to, the content that was last synced is kept; whoever changes the file, and
 * however, a crash finds the difference. Names that were made, moved or removed since their folder
 * was synced are a list of changes, in order. Syncing a file makes its content, its size and its
 * making last; syncing a folder makes the names in it last.
 *
 * A crash leaves what is certain and, in a world whose disks tear, a part of the rest: the first so
 * many changes of names, and of each file those pages and sectors that chance says (torn.c).
 */

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Before the change is made. */
void ph_journal_opens(const char* path);
void ph_journal_writes(int fd);
void ph_journal_rename(const char* from, const char* to);
void ph_journal_unlink(const char* path);
/* After it. */
void ph_journal_created(const char* path);
void ph_journal_wrote(int fd, size_t size); /* at the descriptor's place; see O_SYNC, */
void ph_journal_wrote_at(int fd, off_t offset, size_t size);
void ph_journal_synced(int fd);
void ph_journal_synced_all(void);
/* With the lock held. */
void ph_journal_undo(int host);

/* What is on the disk of a file with the old content after a crash in the middle of it becoming the
 * new one: into `result`, which has room for the longer of both; returns its size. */
size_t ph_torn(unsigned char* result, const unsigned char* old, size_t old_size,
               const unsigned char* new, size_t new_size);

/* A file has got a second name; a mapping of it was synced. */
void ph_journal_linked(const char* path);
void ph_journal_mapped_synced(const char* path, off_t offset, size_t size);
/* A disk that is full takes nothing, whoever asks; sets errno. */
bool ph_disk_is_full(void);
/* The path as seen from a folder; false: the folder is not known. */
bool ph_path_at(int dir, const char* path, char full[PATH_MAX]);

#endif
