#!/usr/bin/env bash
# rpmbuild makes the packages from the source archive; installed in an empty root, the command runs,
# and nothing but its own package asks for, or claims to be, libuv.so.1.
. tests/packaging/common.bash
command -v rpmbuild >/dev/null || skip "there is no rpmbuild"
sources=$build/dist/phasor-$version-source.tar.gz
[ -f "$sources" ] || skip "there is no source archive: make dist makes it"
top=$temp/rpm
mkdir -p "$top/SOURCES"
cp "$sources" "$top/SOURCES/"
# This machine's database knows no packages: what is needed is there, as make needs it too.
logged rpmbuild -bb --nodeps --define "_topdir $top" --define "debug_package %{nil}" \
    packaging/rpm/phasor.spec
mapfile -t packages < <(find "$top/RPMS" -name '*.rpm')
[ "${#packages[@]}" = 3 ] || fail "not three packages: ${packages[*]}"
for package in "${packages[@]}"; do
    ! rpm -qp --provides "$package" | grep 'libuv' || fail "$package claims to be libuv"
    ! rpm -qp --requires "$package" | grep -E 'libuv|libssl|libicu' ||
        fail "$package asks for those"
done
rpm -qp --requires "$top"/RPMS/*/phasor-[0-9]*.rpm | grep -q "^libphasor.* = $version" ||
    fail "phasor does not ask for libphasor"

root=$temp/root
mkdir "$root"
logged rpm --root "$root" --dbpath /rpmdb --initdb
logged rpm --root "$root" --dbpath /rpmdb -i --nodeps --noscripts "${packages[@]}"
says "it runs" "$root/usr/bin/phasor" -e 'setTimeout(() => console.log("it runs"))'
echo 'setTimeout(() => console.log(true), 3600000)' >"$temp/hour.js"
says true "$root/usr/bin/phasor" sim "$temp/hour.js"
[ -e "$root/usr/include/phasor/uv.h" ] && [ ! -e "$root/usr/include/uv.h" ] ||
    fail "headers lie where the system's are"
logged rpm --root "$root" --dbpath /rpmdb -e --nodeps phasor libphasor libphasor-devel
[ -z "$(find "$root" -name '*phasor*')" ] || fail "left behind: $(find "$root" -name '*phasor*')"
