'use strict';
const http2 = require('http2');

const server = http2.createServer();
server.on('stream', (stream, headers) => {
  stream.additionalHeaders({ ':status': 103, link: '</a.css>' });
  stream.pushStream({ ':path': '/pushed' }, (error, push, sent) => {
    console.log('push', error, sent[':path'], push.id % 2);
    push.respond({ ':status': 200, 'x-push': 'yes' });
    push.end('pushed body');
  });
  stream.respond({ ':status': 200 }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': 'abc' }));
  stream.end(`for ${headers[':path']}`);
});

server.listen(0, () => {
  const client = http2.connect(`http://localhost:${server.address().port}`);
  const lines = [];
  let left = 2;
  const done = () => {
    if (--left > 0) return;
    console.log(lines.sort().join('\n'));
    client.close();
    server.close();
  };
  client.on('stream', (pushed, headers) => {
    lines.push(`promise ${headers[':path']} ${headers[':method']}`);
    pushed.on('push', (answer) => lines.push(`push ${answer[':status']} ${answer['x-push']}`));
    pushed.setEncoding('utf8').on('data', (text) => lines.push(`pushed: ${text}`));
    pushed.on('end', done);
  });
  const req = client.request({ ':path': '/main' });
  req.on('headers', (headers) => lines.push(`info ${headers[':status']} ${headers.link}`));
  req.on('response', (headers) => lines.push(`response ${headers[':status']}`));
  req.on('trailers', (headers) => lines.push(`trailers ${headers['x-sum']}`));
  req.setEncoding('utf8').on('data', (text) => lines.push(`body: ${text}`));
  req.on('close', done);
});
