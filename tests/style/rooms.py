"""The rooms of src/, and what stands below each."""

BELOW = {"base": set(), "os": {"base"}, "core": {"base", "os"}, "trace": {"base"},
         "sim": {"base", "os", "core", "thread", "trace"}}
FAMILIES = {"stream", "net", "fs", "process", "thread", "system"}
