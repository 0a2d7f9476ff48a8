// The phasor command.
#include "runtime.h"

int main(int argc, char** argv) {
    return ph_runtime_main(argc, argv);
}
