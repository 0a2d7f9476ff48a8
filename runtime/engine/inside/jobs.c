/* Told of each promise job as it is queued. They run in the order in which they were. */
void (*js_job_hook)(JSContext* ctx);
