#include "system/cgroup.h"
#include "base/certain.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/certain.h"
#include "system/procfile.h"

/* One level of the hierarchy that a controller is in. */
struct level {
    bool version_2;
    char folder[PATH_MAX];
    size_t top; /* length of the mount point in `folder`: as far up as it goes */
};

static bool names_controller(const char* list, const char* controller) {
    size_t length = strlen(controller);
    for (;;) {
        size_t item = strcspn(list, ",");
        if (item == length && strncmp(list, controller, length) == 0)
            return true;
        if (list[item] == '\0')
            return false;
        list += item + 1;
    }
}

static bool set_level(struct level* level, const char* root, const char* controller,
                      const char* path) {
    int top = snprintf(level->folder, sizeof(level->folder), "%s/sys/fs/cgroup%s%s", root,
                       level->version_2 ? "" : "/", level->version_2 ? "" : controller);
    if (NEVER(top < 0) || (size_t)top + strlen(path) >= sizeof(level->folder))
        return false;
    level->top = (size_t)top;
    if (strcmp(path, "/") != 0)
        memcpy(level->folder + top, path, strlen(path) + 1);
    return true;
}

/*
 * A line of /proc/self/cgroup is "number:controllers:path", with the number 0 and no controllers
 * for version 2. Both may be in use at once; a controller that version 1 has is not in version 2.
 */
static bool find_level(struct level* level, const char* root, const char* controller) {
    char line[PATH_MAX + 256];
    bool found = false;
    snprintf(line, sizeof(line), "%s/proc/self/cgroup", root);
    FILE* file = fopen(line, "re");
    if (file == NULL)
        return false;
    while (fgets(line, sizeof(line), file) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        char* list = strchr(line, ':');
        char* path = list != NULL ? strchr(list + 1, ':') : NULL;
        if (path == NULL)
            continue;
        list++;
        *path++ = '\0';
        bool version_1 = names_controller(list, controller);
        if (!version_1 && strncmp(line, "0:", 2) != 0)
            continue;
        level->version_2 = !version_1;
        found = set_level(level, root, controller, path);
        if (version_1)
            break;
    }
    fclose(file);
    return found;
}

static bool go_up(struct level* level) {
    if (strlen(level->folder) <= level->top)
        return false;
    *strrchr(level->folder + level->top, '/') = '\0';
    return true;
}

static bool read_text(const struct level* level, const char* name, char* text, size_t size) {
    char path[sizeof(level->folder) + 64];
    snprintf(path, sizeof(path), "%s/%s", level->folder, name);
    return ph_procfile_read(path, text, size) > 0;
}

/* "max" and version 1's highest number both mean that there is no limit. */
static bool read_bytes(const struct level* level, const char* name, uint64_t* value) {
    char text[64];
    if (!read_text(level, name, text, sizeof(text)))
        return false;
    if (strncmp(text, "max", 3) == 0) {
        *value = UINT64_MAX;
        return true;
    }
    char* end;
    *value = strtoull(text, &end, 10);
    if (*value >= (uint64_t)INT64_MAX / 65536 * 65536)
        *value = UINT64_MAX;
    return end != text;
}

struct ph_cgroup_memory ph_cgroup_memory(const char* root) {
    static const char* const limit_names[][2] = {
        {"memory.limit_in_bytes", "memory.soft_limit_in_bytes"}, {"memory.max", "memory.high"}};
    struct ph_cgroup_memory memory = {0, UINT64_MAX};
    struct level level;
    if (!find_level(&level, root, "memory"))
        return memory;
    const char* usage_name = level.version_2 ? "memory.current" : "memory.usage_in_bytes";
    uint64_t lowest = UINT64_MAX;
    bool known = false;
    do {
        uint64_t limit = UINT64_MAX, value, used;
        for (int i = 0; i < 2; i++)
            if (read_bytes(&level, limit_names[level.version_2][i], &value)) {
                known = true;
                limit = value < limit ? value : limit;
            }
        if (limit == UINT64_MAX)
            continue;
        lowest = limit < lowest ? limit : lowest;
        if (!read_bytes(&level, usage_name, &used))
            used = 0;
        uint64_t left = used < limit ? limit - used : 0;
        memory.left = left < memory.left ? left : memory.left;
    } while (go_up(&level));
    if (known)
        memory.limit = lowest;
    return memory;
}

static double level_cpus(const struct level* level) {
    char text[64];
    double quota, period;
    if (level->version_2) {
        if (!read_text(level, "cpu.max", text, sizeof(text)) ||
            sscanf(text, "%lf %lf", &quota, &period) != 2)
            return 0;
    } else {
        if (!read_text(level, "cpu.cfs_quota_us", text, sizeof(text)))
            return 0;
        quota = strtod(text, NULL);
        if (!read_text(level, "cpu.cfs_period_us", text, sizeof(text)))
            return 0;
        period = strtod(text, NULL);
    }
    return quota > 0 && period > 0 ? quota / period : 0;
}

double ph_cgroup_cpus(const char* root) {
    struct level level;
    double lowest = 0;
    if (!find_level(&level, root, "cpu"))
        return 0;
    do {
        double cpus = level_cpus(&level);
        if (cpus > 0 && (lowest == 0 || cpus < lowest))
            lowest = cpus;
    } while (go_up(&level));
    return lowest;
}
