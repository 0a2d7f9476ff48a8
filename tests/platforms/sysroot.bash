# sysroot.bash FOLDER PROCESSOR: unpacks into the folder what the command, the runtime and its
# plug-ins are built with and run on, for another processor: Debian's packages of it with all that
# they depend on. Nothing is installed.
set -euo pipefail
folder=$1
processor=$2
[ ! -e "$folder/complete" ] || exit 0
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)
case $processor in
riscv64) SUITE=trixie ;; # the first with that processor
*) SUITE=$(. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}") ;;
esac
export SUITE
options=(-o "APT::Architecture=$processor" -o "APT::Architectures::=$processor"
    -o APT::Install-Recommends=0 -o Debug::NoLocking=1)
scripts/testing-apt.sh "$folder/apt" "${options[@]}" update
scripts/testing-apt.sh "$folder/apt" "${options[@]}" -y --download-only install libc6-dev \
    libdw-dev zlib1g-dev libssl-dev libnghttp2-dev libc-ares-dev libbrotli-dev libzstd-dev \
    libsqlite3-dev libicu-dev libgcc-s1 libuv1-dev
for package in "$folder"/apt/cache/archives/*.deb; do
    dpkg-deb -x "$package" "$folder"
done
rm -rf "$folder/apt"
touch "$folder/complete"
