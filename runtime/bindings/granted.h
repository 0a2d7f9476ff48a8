/* Paths that are granted, as a list of patterns, and whether one covers a path. A path is covered
 * if its name is, and if the place that links lead it to is, too: a link inside of a granted folder
 * grants nothing outside of it. A link that is granted by its own name is. */
#ifndef PH_RUNTIME_GRANTED_H
#define PH_RUNTIME_GRANTED_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    char* text;
    size_t length;
    bool is_prefix;
} ph_pattern;

typedef struct {
    ph_pattern* items;
    size_t count;
} ph_patterns;

typedef struct {
    bool all;
    ph_patterns names;  /* as given */
    ph_patterns places; /* where they are */
} ph_granted;

/* "*" is everything; after another "*" nothing is looked at; a folder is all that is in it. False
 * if there is no memory. */
bool ph_granted_add(ph_granted* list, const char* given);
/* The path behind the name of the working directory; from malloc. */
char* ph_granted_absolute(const char* path);
/* Is this place in the list? It is as the system calls it, without links. */
bool ph_granted_has_place(const ph_granted* list, const char* place);
/* Splits at the last name: "/a/b" gives "/a/" and "b", "b" gives "." and "b". False if the path
 * ends in no name that could be a link. Room for PATH_MAX and NAME_MAX + 1. */
bool ph_split_path(const char* path, char* folder, char* name);
/* The place that a path leads to, if it was made now. Room for PATH_MAX. */
bool ph_find_place(const char* path, char* out);
bool ph_granted_covers(const ph_granted* list, const char* path, bool follows);

#endif
