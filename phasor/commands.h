#ifndef PH_TOOLS_COMMANDS_H
#define PH_TOOLS_COMMANDS_H

/* The commands behind `phasor NAME`. argv[0] is the command's name; each gives the exit status. */

int phasor_trace(int argc, char** argv);
int phasor_report(int argc, char** argv);
int phasor_export(int argc, char** argv);
int phasor_diff(int argc, char** argv);
int phasor_top(int argc, char** argv);
/* argv[0] may be "attach": with the number of a process that runs. */
int phasor_watch(int argc, char** argv);
int phasor_attach(int argc, char** argv);
int phasor_run(int argc, char** argv);
int phasor_sim(int argc, char** argv);
int phasor_play(int argc, char** argv);
int phasor_licenses(int argc, char** argv);
/* Where there is no JavaScript runtime, which says more. */
int phasor_version(int argc, char** argv);

#endif
