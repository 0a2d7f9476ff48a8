#ifndef PH_SIM_LINK_H
#define PH_SIM_LINK_H

/* The ways between hosts. */

#include "world/world.h"

struct ph_link* ph_link_between(int from, int to);
/* Whether nothing gets through, because the way is cut or a host is down. */
bool ph_link_is_cut(int from, int to);
/* How strong this kind of unkindness is between two hosts; 0 inside of one. */
double ph_link_unkind(int from, int to, enum ph_unkindness kind);
/* When bytes that leave now arrive. */
uint64_t ph_link_arrival(int from, int to, size_t bytes);

/* What happens when an event's time has come; see events.c. */
void ph_run_arrival(struct ph_event* event);
void ph_run_connect(struct ph_event* event);
void ph_run_room(struct ph_event* event);
void ph_run_datagram(struct ph_event* event);
void ph_run_reset(struct ph_event* event);

#endif
