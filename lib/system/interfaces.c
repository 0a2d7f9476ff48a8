/* The addresses of the network interfaces that are up and running. */

#include <ifaddrs.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "uv.h"

static bool is_running(const struct ifaddrs* entry) {
    return (entry->ifa_flags & IFF_UP) != 0 && (entry->ifa_flags & IFF_RUNNING) != 0 &&
           entry->ifa_addr != NULL;
}

static bool has_address(const struct ifaddrs* entry) {
    return is_running(entry) &&
           (entry->ifa_addr->sa_family == AF_INET || entry->ifa_addr->sa_family == AF_INET6);
}

static void fill(uv_interface_address_t* address, const struct ifaddrs* entry) {
    address->is_internal = (entry->ifa_flags & IFF_LOOPBACK) != 0;
    if (entry->ifa_addr->sa_family == AF_INET) {
        memcpy(&address->address.address4, entry->ifa_addr, sizeof(struct sockaddr_in));
        if (entry->ifa_netmask != NULL)
            memcpy(&address->netmask.netmask4, entry->ifa_netmask, sizeof(struct sockaddr_in));
        address->netmask.netmask4.sin_family = AF_INET;
    } else {
        memcpy(&address->address.address6, entry->ifa_addr, sizeof(struct sockaddr_in6));
        if (entry->ifa_netmask != NULL)
            memcpy(&address->netmask.netmask6, entry->ifa_netmask, sizeof(struct sockaddr_in6));
        address->netmask.netmask6.sin6_family = AF_INET6;
    }
}

/* An alias ("eth0:1") has the hardware address of its interface. */
static bool belongs_to(const char* name, const char* interface) {
    size_t length = strlen(interface);
    return strncmp(name, interface, length) == 0 && (name[length] == '\0' || name[length] == ':');
}

static void set_hardware_address(uv_interface_address_t* list, int count,
                                 const struct ifaddrs* entry) {
    const struct sockaddr_ll* link = (const struct sockaddr_ll*)entry->ifa_addr;
    for (int i = 0; i < count; i++)
        if (belongs_to(list[i].name, entry->ifa_name))
            memcpy(list[i].phys_addr, link->sll_addr, sizeof(list[i].phys_addr));
}

/* One block: the list, then the names. */
static int copy_list(const struct ifaddrs* entries, uv_interface_address_t** addresses,
                     int* count) {
    size_t number = 0, names = 0;
    for (const struct ifaddrs* entry = entries; entry != NULL; entry = entry->ifa_next)
        if (has_address(entry)) {
            number++;
            names += strlen(entry->ifa_name) + 1;
        }
    if (number == 0)
        return 0;
    uv_interface_address_t* list = ph_calloc(1, number * sizeof(*list) + names);
    if (list == NULL)
        return UV_ENOMEM;
    char* name = (char*)(list + number);
    uv_interface_address_t* next = list;
    for (const struct ifaddrs* entry = entries; entry != NULL; entry = entry->ifa_next) {
        if (!has_address(entry))
            continue;
        size_t size = strlen(entry->ifa_name) + 1;
        next->name = memcpy(name, entry->ifa_name, size);
        name += size;
        fill(next++, entry);
    }
    *addresses = list;
    *count = (int)number;
    return 0;
}

int uv_interface_addresses(uv_interface_address_t** addresses, int* count) {
    struct ifaddrs* entries;
    *addresses = NULL;
    *count = 0;
    if (getifaddrs(&entries) != 0)
        return ph_errno();
    int err = copy_list(entries, addresses, count);
    for (struct ifaddrs* entry = entries; entry != NULL; entry = entry->ifa_next)
        if (is_running(entry) && entry->ifa_addr->sa_family == AF_PACKET)
            set_hardware_address(*addresses, *count, entry);
    freeifaddrs(entries);
    return err;
}

void uv_free_interface_addresses(uv_interface_address_t* addresses, int count) {
    (void)count;
    ph_free(addresses);
}
