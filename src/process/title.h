#ifndef PH_PROCESS_TITLE_H
#define PH_PROCESS_TITLE_H

/* Frees the copies of the arguments that uv_setup_args returned: for uv_library_shutdown.
 * Afterwards there is no title, as before uv_setup_args. */
void ph_title_cleanup(void);

#endif
