program=$1
echo 'console.log(1)' >script.js
chmod 000 script.js
if [ -r script.js ]; then
    # Root reads everything: without its rights, in a folder that others may enter.
    command -v setpriv >/dev/null || exit 0
    chmod 755 . ..
    set -- setpriv --reuid 65534 --clear-groups "$program"
else
    set -- "$program"
fi
"$@" script.js
echo "status $?"
