#!/usr/bin/env bash
# And status 2.
. sim/tests/world.bash
echo 'print(1)' >script.js
touch script.txt
refused '"nett" is no kind of fault' --faults nett true
refused '"1.5" is no rate' --faults net:1.5 true
refused '"-1" is no rate' --faults net:-1 true
refused '"x" is no rate' --faults disk:x true
refused '"nan" is no rate' --faults disk:nan true
refused '"0" is no step' --until 0 true
refused '"write" is no fault' --fault write true
refused '"writ" is no call' --fault writ@1=EIO true
refused '"EOOPS" is no error' --fault write@1=EOOPS true
refused "connect can't fail with ENOSPC" --fault connect@1=ENOSPC true
refused "write can't fail with SHORT" --fault write@1=SHORT true
refused "write_short can't fail with EIO" --fault write_short@1=EIO true
refused '"x" is no number' --seed x true
refused '"-3" is no number' --seed -3 true
refused '"1e3" is no number' --seeds 1e3 true
refused '"0" is no number' --seeds 0 true
refused '"soon" is no time' --limit soon true
refused '"-1s" is no time' --real-limit -1s true
refused 'is no list of delays' --delays 1,x true
refused 'unknown option' --sead 1 true
refused 'a value is missing after --seed' --seed
refused 'no program is named' --seed 1
refused './nothing' ./nothing
refused 'script.txt' ./script.txt
refused 'nothing.js' nothing.js
refused 'nothing.json' nothing.json
refused 'so there is nothing to simulate' true
refused 'so there is nothing to simulate' --seeds 5 true

bad_world() { # bad_world TEXT: standard input is a world file
    cat >world.json
    refused "$1" world.json
}
bad_world 'world.json:3: a , or the end of a list is missing' <<END
{
  "hosts": [{"name": "a", "program": ["true"]}]
  "limit": "1d"
}
END
bad_world 'world.json:2: host is unknown' <<END
{"hosts": [{"name": "a", "program": ["true"]}],
 "host": []}
END
bad_world 'world.json:2: latencie is unknown' <<END
{"hosts": [{"name": "a", "program": ["true"]}, {"name": "b", "program": ["true"]}],
 "links": [{"between": ["a", "b"], "latencie": "1ms"}]}
END
bad_world 'world.json:2: c is no host' <<END
{"hosts": [{"name": "a", "program": ["true"]}, {"name": "b", "program": ["true"]}],
 "links": [{"between": ["a", "c"]}]}
END
one='{"name": "a", "program": ["x"]}'
bad_world 'world.json:1: a is there twice' <<<"{\"hosts\": [$one, $one]}"
bad_world 'world.json:1: a has no program' <<<'{"hosts": [{"name": "a"}]}'
bad_world 'world.json:2: at is no time' <<END
{"hosts": [$one],
 "happenings": [{"at": "soon", "crash": "a"}]}
END
bad_world 'world.json:2: loss is no number from 0 to 1' <<END
{"hosts": [$one],
 "links": [{"between": ["a", "a"], "loss": 2}]}
END
bad_world '"nett" is no kind of fault' <<<"{\"hosts\": [$one], \"faults\": \"nett\"}"
bad_world 'world.json:2: oneWay is neither true nor false' <<END
{"hosts": [$one],
 "happenings": [{"at": 1, "cut": ["a", "a"], "oneWay": 1}]}
END
bad_world 'world.json:1: b is no host' <<<"{\"hosts\": [$one], \"done\": [\"b\"]}"
echo "{\"hosts\": [$one]}" >world.json
refused '"b" of a --fault is no host of this world' --fault b:write@1=EIO world.json
bad_world 'a world needs hosts' <<<'{}'
bad_world 'world.json:2: no value' <<<''
refused "/nowhere/x can't be written" -o /nowhere/x true
refused "can't be written" --seeds 2 -o "$folder" true
