/* The runtime's front door, for the phasor command. */
#ifndef PH_RUNTIME_RUNTIME_H
#define PH_RUNTIME_RUNTIME_H

/* Runs "phasor [options] [file] [arguments]"; gives the exit code. */
int ph_runtime_main(int argc, char** argv);

#endif
