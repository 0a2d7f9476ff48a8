# emulated.bash RULE PROGRAM...: runs a program of another processor, and whatever programs it
# starts, in namespaces of its own: nothing changes outside. Needs Linux 6.7, where each user
# namespace has a list of its own of what runs programs that are not the machine's.
set -euo pipefail
if [ "${1:-}" = inside ]; then
    mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
    printf '%s' "$2" >/proc/sys/fs/binfmt_misc/register
    shift 2
    exec "$@"
fi
exec unshare --user --map-users=0,0,65536 --map-groups=0,0,65536 --setuid 0 --setgid 0 --mount \
    bash "$0" inside "$@"
