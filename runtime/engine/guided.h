#ifndef PH_ENGINE_GUIDED_H
#define PH_ENGINE_GUIDED_H

/* Under a search that is guided (phasor sim --guided) the program's JavaScript tells the world
 * which statements it came to. Which came after which would be noise: callbacks come in any order.
 */

void ph_guided_init(void);

#endif
