#!/usr/bin/env bash
# Every clock agrees that a year has passed.
. sim/tests/world.bash
needs_runtime
year=$((365 * 86400000))
sim --limit 400d "$programs/year.js" >out
echo "365 $year $year $year" >expected
sed -i 's/n / /' out
same expected out "the clocks of a year"
