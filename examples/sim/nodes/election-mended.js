'use strict';
// A node of two-leaders-mended.js.
const { name, peers } = require('worker_threads').workerData;
const sim = require('phasor:sim');
const socket = require('dgram').createSocket('udp4');
let term = 0;
let voted = 0;
let leads = false;
let heard = 0; // when a leader was last heard
let votes = 0;
const LEASE = 200;
const confirmed = new Map(); // peer → when the beat that it has confirmed was sent
const wait = 300 + sim.random(300);

function send(to, message) {
  socket.send(JSON.stringify({ from: name, ...message }), 7000, to, () => {});
}
function become(leader) {
  leads = leader;
  sim.publish(`leader ${name}`, leads && term);
}
function elect() {
  voted = ++term;
  votes = 1;
  heard = performance.now();
  for (const peer of peers) send(peer, { kind: 'ask', term });
  setTimeout((asked) => {
    if (asked === term && !leads && votes > (peers.length + 1) / 2) lead();
  }, 150, term);
}
const on = {
  ask(message) {
    const yes = message.term > voted;
    if (yes) {
      voted = message.term;
      if (message.term > term) { term = message.term; become(false); }
      heard = performance.now();
    }
    send(message.from, { kind: 'vote', term: message.term, yes });
  },
  vote(message) {
    if (message.term !== term) return;
    if (message.yes) votes++;
  },
  beat(message) {
    if (message.term < term) return;
    term = message.term;
    heard = performance.now();
    if (leads) become(false);
    send(message.from, { kind: 'heard', term, sent: message.sent });
  },
  heard(message) {
    if (message.term === term && leads) confirmed.set(message.from, message.sent);
  },
};
function mostFollow() {
  let count = 1;
  for (const sent of confirmed.values()) count += performance.now() - sent < LEASE;
  return count > (peers.length + 1) / 2;
}
// The votes say as much as a confirmed beat: those who gave them wait before they ask themselves.
function lead() {
  for (const peer of peers) confirmed.set(peer, performance.now() - 150);
  become(true);
}
socket.on('message', (text) => {
  const message = JSON.parse(text);
  on[message.kind](message);
});
socket.bind(7000, () => {
  setInterval(() => {
    if (leads && !mostFollow()) become(false);
    const sent = performance.now();
    if (leads) for (const peer of peers) send(peer, { kind: 'beat', term, sent });
    else if (performance.now() - heard > wait) elect();
  }, 10);
});
