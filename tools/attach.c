#include "commands.h"
int phasor_attach(int argc, char** argv) { (void)argc; (void)argv; return 2; }
int phasor_top(int argc, char** argv) { (void)argc; (void)argv; return 2; }
