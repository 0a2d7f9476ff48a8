/* The binding behind os: the machine, its interfaces, its user. */
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"

static JSValue cpus(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    uv_cpu_info_t* infos;
    int count;
    JSValue list = JS_NewArray(ctx);
    if (uv_cpu_info(&infos, &count) != 0)
        return list;
    for (int i = 0; i < count; i++) {
        JSValue times = JS_NewObject(ctx);
        ph_set(ctx, times, "user", JS_NewInt64(ctx, (int64_t)infos[i].cpu_times.user));
        ph_set(ctx, times, "nice", JS_NewInt64(ctx, (int64_t)infos[i].cpu_times.nice));
        ph_set(ctx, times, "sys", JS_NewInt64(ctx, (int64_t)infos[i].cpu_times.sys));
        ph_set(ctx, times, "idle", JS_NewInt64(ctx, (int64_t)infos[i].cpu_times.idle));
        ph_set(ctx, times, "irq", JS_NewInt64(ctx, (int64_t)infos[i].cpu_times.irq));
        JSValue cpu = JS_NewObject(ctx);
        ph_set(ctx, cpu, "model", JS_NewString(ctx, infos[i].model));
        ph_set(ctx, cpu, "speed", JS_NewInt32(ctx, infos[i].speed));
        ph_set(ctx, cpu, "times", times);
        JS_SetPropertyUint32(ctx, list, (uint32_t)i, cpu);
    }
    uv_free_cpu_info(infos, count);
    return list;
}

static JSValue one_interface(JSContext* ctx, const uv_interface_address_t* info) {
    char address[64] = "";
    char netmask[64] = "";
    char mac[18];
    bool v6 = info->address.address4.sin_family == AF_INET6;
    if (v6) {
        uv_ip6_name(&info->address.address6, address, sizeof(address));
        uv_ip6_name(&info->netmask.netmask6, netmask, sizeof(netmask));
    } else {
        uv_ip4_name(&info->address.address4, address, sizeof(address));
        uv_ip4_name(&info->netmask.netmask4, netmask, sizeof(netmask));
    }
    for (size_t i = 0; i < 6; i++) {
        unsigned byte = (unsigned char)info->phys_addr[i];
        mac[i * 3] = "0123456789abcdef"[byte >> 4];
        mac[i * 3 + 1] = "0123456789abcdef"[byte & 15];
        mac[i * 3 + 2] = i < 5 ? ':' : '\0';
    }
    JSValue object = JS_NewObject(ctx);
    ph_set(ctx, object, "name", JS_NewString(ctx, info->name));
    ph_set(ctx, object, "address", JS_NewString(ctx, address));
    ph_set(ctx, object, "netmask", JS_NewString(ctx, netmask));
    ph_set(ctx, object, "family", JS_NewString(ctx, v6 ? "IPv6" : "IPv4"));
    ph_set(ctx, object, "mac", JS_NewString(ctx, mac));
    ph_set(ctx, object, "internal", JS_NewBool(ctx, info->is_internal));
    if (v6)
        ph_set(ctx, object, "scopeid", JS_NewInt64(ctx, info->address.address6.sin6_scope_id));
    return object;
}

static JSValue interfaces(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    uv_interface_address_t* infos;
    int count;
    JSValue list = JS_NewArray(ctx);
    if (uv_interface_addresses(&infos, &count) != 0)
        return list;
    for (int i = 0; i < count; i++)
        JS_SetPropertyUint32(ctx, list, (uint32_t)i, one_interface(ctx, &infos[i]));
    uv_free_interface_addresses(infos, count);
    return list;
}

static JSValue user(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    uv_passwd_t entry;
    int status = uv_os_get_passwd(&entry);
    if (status != 0)
        return ph_throw(ctx, status, "uv_os_get_passwd", NULL, NULL);
    JSValue object = JS_NewObject(ctx);
    ph_set(ctx, object, "uid", JS_NewInt64(ctx, (int64_t)entry.uid));
    ph_set(ctx, object, "gid", JS_NewInt64(ctx, (int64_t)entry.gid));
    ph_set(ctx, object, "username", JS_NewString(ctx, entry.username));
    ph_set(ctx, object, "homedir", JS_NewString(ctx, entry.homedir));
    ph_set(ctx, object, "shell", entry.shell == NULL ? JS_NULL : JS_NewString(ctx, entry.shell));
    uv_os_free_passwd(&entry);
    return object;
}

static JSValue uname_parts(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    uv_utsname_t name;
    JSValue list = JS_NewArray(ctx);
    if (uv_os_uname(&name) != 0)
        return list;
    JS_SetPropertyUint32(ctx, list, 0, JS_NewString(ctx, name.sysname));
    JS_SetPropertyUint32(ctx, list, 1, JS_NewString(ctx, name.version));
    JS_SetPropertyUint32(ctx, list, 2, JS_NewString(ctx, name.release));
    JS_SetPropertyUint32(ctx, list, 3, JS_NewString(ctx, name.machine));
    return list;
}

enum { HOSTNAME, HOMEDIR, TMPDIR };

static JSValue text(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    (void)argv;
    char buffer[4096];
    size_t size = sizeof(buffer);
    int status = magic == HOSTNAME  ? uv_os_gethostname(buffer, &size)
                 : magic == HOMEDIR ? uv_os_homedir(buffer, &size)
                                    : uv_os_tmpdir(buffer, &size);
    if (status != 0)
        return ph_throw(ctx, status, "uv_os", NULL, NULL);
    return JS_NewStringLen(ctx, buffer, size);
}

enum { TOTAL, FREE, UPTIME, PARALLELISM, LOAD };

static JSValue number(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    (void)argv;
    double value = 0;
    switch (magic) {
    case TOTAL:
        return JS_NewFloat64(ctx, (double)uv_get_total_memory());
    case FREE:
        return JS_NewFloat64(ctx, (double)uv_get_free_memory());
    case UPTIME:
        uv_uptime(&value);
        return JS_NewFloat64(ctx, value);
    case PARALLELISM:
        return JS_NewInt64(ctx, uv_available_parallelism());
    default:
        break;
    }
    double average[3];
    uv_loadavg(average);
    JSValue list = JS_NewArray(ctx);
    for (uint32_t i = 0; i < 3; i++)
        JS_SetPropertyUint32(ctx, list, i, JS_NewFloat64(ctx, average[i]));
    return list;
}

static JSValue priority(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int pid = ph_int(ctx, argv[0], 0);
    int value = 0;
    int status = JS_IsUndefined(argv[1]) ? uv_os_getpriority(pid, &value)
                                         : uv_os_setpriority(pid, ph_int(ctx, argv[1], 0));
    if (status != 0)
        return ph_throw(ctx, status, "uv_os_priority", NULL, NULL);
    return JS_NewInt32(ctx, value);
}

static const char* architecture(const char* machine) {
    if (strcmp(machine, "x86_64") == 0)
        return "x64";
    return strcmp(machine, "aarch64") == 0 ? "arm64" : machine;
}

JSValue ph_os_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("cpus", 0, cpus),
        JS_CFUNC_DEF("interfaces", 0, interfaces),
        JS_CFUNC_DEF("user", 0, user),
        JS_CFUNC_DEF("uname", 0, uname_parts),
        JS_CFUNC_MAGIC_DEF("hostname", 0, text, HOSTNAME),
        JS_CFUNC_MAGIC_DEF("homedir", 0, text, HOMEDIR),
        JS_CFUNC_MAGIC_DEF("tmpdir", 0, text, TMPDIR),
        JS_CFUNC_MAGIC_DEF("totalmem", 0, number, TOTAL),
        JS_CFUNC_MAGIC_DEF("freemem", 0, number, FREE),
        JS_CFUNC_MAGIC_DEF("uptime", 0, number, UPTIME),
        JS_CFUNC_MAGIC_DEF("parallelism", 0, number, PARALLELISM),
        JS_CFUNC_MAGIC_DEF("loadavg", 0, number, LOAD),
        JS_CFUNC_DEF("priority", 2, priority),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    uv_utsname_t name;
    const char* arch = uv_os_uname(&name) == 0 ? architecture(name.machine) : "unknown";
    ph_set(ctx, binding, "arch", JS_NewString(ctx, arch));
    return binding;
}
