#ifndef PH_REPORT_SIGNALS_H
#define PH_REPORT_SIGNALS_H

/* "SIGTERM"; NULL for one without a name. Not every C library can say it. */
const char* report_signal_name(int number);

#endif
