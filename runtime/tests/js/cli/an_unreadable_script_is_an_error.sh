program=$1
echo 'console.log(1)' >script.js
chmod 000 script.js
if [ -r script.js ]; then
    # Root reads everything, until it gives up these rights. Another user might not get as far as
    # the script: the program may be where others can't enter.
    command -v setpriv >/dev/null || exit 0
    rights=-dac_override,-dac_read_search
    set -- setpriv --bounding-set "$rights" --inh-caps "$rights" "$program"
else
    set -- "$program"
fi
"$@" script.js
echo "status $?"
