"""The rooms of lib/ and what stands below each; the products and what each may include."""

BELOW = {"base": set(), "os": {"base"}, "core": {"base", "os"}}
# Beside the rooms, for all of them and for the recorder: what the library says about itself, and
# how the two meet.
HOOKS = {"hooks.h", "recording.h"}
FAMILIES = {"stream", "net", "fs", "process", "thread", "system"}

# Folder -> the folders and files whose headers it may include, beside its own and <uv.h>,
# <phasor.h>. The longest folder that a file is in decides. lib/ has rules of its own.
PRODUCTS = {
    "trace/recorder": {"trace/slots", "lib/base", "lib/hooks.h", "lib/recording.h"},
    "trace/read": {"trace/recorder"},
    "trace/report": {"trace/read"},
    "trace/live": {"trace/read", "trace/recorder", "trace/report", "lib/os/poller.h",
                   "lib/recording.h"},
    "trace/launch": {"trace/read"},
    "trace/preload": set(),
    "trace/slots": set(),
    "trace/async": set(),
    "trace/join": {"trace/slots", "lib/base", "lib/hooks.h", "lib/recording.h"},
    "sim/world": {"lib", "trace/recorder", "trace/preload"},
    "sim/search": {"sim/world"},
    "runtime": set(),
    "runtime/engine": set(),
    "runtime/bindings": {"runtime/engine"},
    "runtime/http": {"runtime/bindings", "runtime/engine"},
    "runtime/events": {"runtime/bindings", "runtime/engine"},
    "runtime/plugins": {"runtime/bindings", "runtime/engine", "runtime/http"},
    "play/events": {"trace/read", "trace/recorder"},
    "phasor": {"trace", "sim/search", "play/events"},
    "go": set(),
    "bench": set(),
    "examples": set(),
    "lib/tests/behaviour": {"lib/tests/harness.h"},
}
# Where the headers of a product are looked for.
ROOTS = {
    "lib": (),
    "trace": ("trace", "lib"),
    "sim": ("sim", "lib", "trace"),
    "runtime": ("runtime",),
    "play": ("play", "trace", "lib"),
    "phasor": ("phasor", "trace", "sim", "play", "lib"),
    "go": ("go/src", "go/include"),
    "bench": ("bench",),
    "examples": ("examples",),
}
