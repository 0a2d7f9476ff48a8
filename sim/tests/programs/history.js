'use strict';
// Histories of each kind that are linearizable, and some that are not.
const sim = require('phasor:sim');

let number = 0;
// Each word is a call or a return: "a:write=1" begins, "a" ends it; "a=2" ends it with a result.
function judge(kind, words) {
  const history = sim.history(`history ${number++}`, kind);
  const open = new Map();
  for (const word of words.split(' ')) {
    const [name, rest] = word.split(':');
    if (rest === undefined) {
      const [by, result] = name.split('=');
      open.get(by).returns(result === undefined ? undefined : JSON.parse(result));
    } else {
      const [, what, key, value] = /^([a-z]+)(?:\((\w+)\))?(?:=(.*))?$/.exec(rest);
      open.set(name, history.call(what, {
        by: name, key, value: value === undefined ? undefined : JSON.parse(value),
      }));
    }
  }
  try {
    history.check();
    console.log(kind, words, 'yes');
  } catch (error) {
    console.log(kind, words, error.name, error.message.split('\n').length);
  }
}

judge('register', 'a:write=1 a b:read b=1');
judge('register', 'a:write=1 a b:read b=null');
judge('register', 'a:write=1 b:read b=null a');
judge('register', 'a:write=1 b:read b=1 c:read c=null a');
judge('register', 'a:write=1 b:read b=1');
judge('register', 'a:cas=[null,1] a=true b:cas=[null,2] b=true');
judge('register', 'a:cas=[null,1] b:cas=[null,2] a=true b=false');
judge('map', 'a:write(x)=1 a b:read(y) b=null c:read(x) c=1');
judge('map', 'a:write(x)=1 a b:read(x) b=null');
judge('queue', 'a:enqueue=1 a b:enqueue=2 b c:dequeue c=1 d:dequeue d=2');
judge('queue', 'a:enqueue=1 a b:enqueue=2 b c:dequeue c=2');
judge('queue', 'a:enqueue=1 b:enqueue=2 a b c:dequeue c=2');
judge('queue', 'a:dequeue a=null b:enqueue=1 b c:dequeue c=1 d:dequeue d=1');
judge('lock', 'a:acquire a b:acquire a:release a b');
judge('lock', 'a:acquire a b:acquire b');
judge('lock', 'a:acquire a b:acquire b=false');
