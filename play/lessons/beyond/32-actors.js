function actor(handle) {
  const mailbox = [];
  return {
    send(message) {
      mailbox.push(message);
      if (mailbox.length === 1) setImmediate(function next() {
        handle(mailbox[0]);
        mailbox.shift();
        if (mailbox.length > 0) setImmediate(next);
      });
    },
  };
}
const pong = actor((n) => {
  console.log('pong', n);
  if (n < 2) ping.send(n + 1);
});
const ping = actor((n) => {
  console.log('ping', n);
  pong.send(n);
});
ping.send(1);
console.log('sent');
