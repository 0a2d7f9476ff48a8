'use strict';
// Either side goes away in the middle.
const http = require('http');
const net = require('net');

const steps = [];
function step(name, run) { steps.push([name, run]); }
function next() {
  const one = steps.shift();
  if (!one) return;
  console.log('---', one[0]);
  one[1]();
}
function serve(handler, use) {
  const server = http.createServer(handler);
  server.listen(0, '127.0.0.1', () => use(server, { port: server.address().port, host: '127.0.0.1',
    agent: false }));
  server.on('close', () => setTimeout(next, 10));
}
function watch(name, emitter, events) {
  for (const event of events) {
    emitter.on(event, (value) => console.log(name, event,
      value instanceof Error ? `${value.code} ${value.message}` : ''));
  }
}

let onRead;
step('client destroys its request while the server reads', () => serve((req, res) => {
  watch('req', req, ['aborted', 'error', 'close', 'end']);
  watch('res', res, ['close', 'finish', 'error']);
  req.once('data', () => setTimeout(onRead, 30));
}, (server, options) => {
  const req = http.request({ ...options, method: 'POST' });
  watch('client', req, ['error', 'abort', 'close', 'response']);
  req.write('some');
  onRead = () => {
    req.destroy();
    console.log(req.destroyed);
    server.close();
  };
}));
step('client destroys its request with an error', () => serve(() => {}, (server, options) => {
  const req = http.get(options);
  watch('client', req, ['error', 'abort', 'close', 'response']);
  setTimeout(() => {
    req.destroy(new Error('mine'));
    server.close();
  }, 30);
}));
step('client destroys its request at once', () => serve(() => {}, (server, options) => {
  const req = http.get(options);
  watch('client', req, ['error', 'abort', 'close', 'response']);
  req.destroy();
  setTimeout(() => server.close(), 30);
}));
step('client aborts', () => serve(() => {}, (server, options) => {
  const req = http.get(options);
  watch('client', req, ['error', 'abort', 'close', 'response']);
  setTimeout(() => {
    req.abort();
    console.log(req.aborted, req.destroyed);
    server.close();
  }, 30);
}));
step('an abort signal', () => serve(() => {}, (server, options) => {
  const controller = new AbortController();
  const req = http.get({ ...options, signal: controller.signal });
  watch('client', req, ['error', 'abort', 'close', 'response']);
  setTimeout(() => {
    controller.abort();
    server.close();
  }, 30);
}));
step('server destroys before it answers', () => serve((req) => req.socket.destroy(),
  (server, options) => {
    const req = http.get(options);
    watch('client', req, ['error', 'abort', 'close', 'response']);
    req.on('close', () => server.close());
  }));
step('server destroys in the middle of its answer', () => serve((req, res) => {
  res.writeHead(200, { 'Content-Length': 10 });
  res.write('abc');
  setTimeout(() => res.destroy(), 20);
}, (server, options) => {
  const req = http.get(options, (res) => {
    watch('response', res, ['data', 'end', 'aborted', 'error', 'close']);
    res.on('close', () => console.log(res.complete, res.aborted, res.destroyed));
  });
  watch('client', req, ['error', 'abort', 'close']);
  req.on('close', () => server.close());
}));
step('server ends a chunked answer early', () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab'));
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    const req = http.get({ port, host: '127.0.0.1', agent: false }, (res) => {
      watch('response', res, ['data', 'end', 'aborted', 'error', 'close']);
    });
    watch('client', req, ['error', 'close']);
    req.on('close', () => server.close(() => setTimeout(next, 10)));
  });
});
step('a body that ends with the connection', () => {
  const server = net.createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\n\r\nall of it'));
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    const req = http.get({ port, host: '127.0.0.1', agent: false }, (res) => {
      res.on('data', (piece) => console.log(String(piece)));
      watch('response', res, ['end', 'aborted', 'error', 'close']);
    });
    watch('client', req, ['error', 'close']);
    req.on('close', () => server.close(() => setTimeout(next, 10)));
  });
});
step('an answer that is no HTTP', () => {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => socket.end('nonsense\r\n'));
  });
  server.listen(0, '127.0.0.1', () => {
    const req = http.get({ port: server.address().port, host: '127.0.0.1', agent: false });
    req.on('error', (error) => console.log(error.name, error.code.slice(0, 4)));
    watch('client', req, ['close']);
    req.on('close', () => server.close(() => setTimeout(next, 10)));
  });
});
step('nobody listens', () => {
  const server = net.createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => {
      const req = http.get({ port, host: '127.0.0.1' });
      req.on('error', (error) => console.log(error.code, error.syscall, error.address));
      watch('client', req, ['close']);
      req.on('close', next);
    });
  });
});
step('the client leaves in the middle of the body', () => serve((req, res) => {
  watch('req', req, ['aborted', 'error', 'close', 'end']);
  watch('res', res, ['close', 'finish', 'error']);
  req.on('close', () => console.log(req.complete, req.aborted, req.destroyed, res.destroyed));
}, (server, { port }) => {
  const socket = net.connect(port, '127.0.0.1', () => {
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc');
    setTimeout(() => {
      socket.destroy();
      server.close();
    }, 30);
  });
}));
let onRequest;
let onLeft;
step('the client leaves before the answer', () => serve((req, res) => {
  watch('req', req, ['aborted', 'error', 'close', 'end']);
  watch('res', res, ['close', 'finish', 'error']);
  req.on('close', () => setTimeout(() => {
    console.log(res.write('late'), res.destroyed, res.writableEnded);
    res.end();
    onLeft();
  }, 20));
  setTimeout(onRequest, 20);
}, (server, { port }) => {
  const socket = net.connect(port, '127.0.0.1', () => {
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  });
  onRequest = () => socket.destroy();
  onLeft = () => server.close();
}));
step('the client ends its side before the answer', () => serve((req, res) => {
  watch('req', req, ['aborted', 'error', 'close', 'end']);
  watch('res', res, ['close', 'finish', 'error']);
  setTimeout(() => res.end('late'), 30);
}, (server, { port }) => {
  const socket = net.connect(port, '127.0.0.1', () => {
    socket.end('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    socket.on('data', () => console.log('data'));
    socket.on('close', () => server.close());
  });
}));
step('a thrown error in a request handler', () => serve((req, res) => {
  process.once('uncaughtException', (error) => {
    console.log('uncaught', error.message);
    res.end('after');
  });
  throw new Error('mine');
}, (server, options) => {
  http.get(options, (res) => {
    res.on('data', (piece) => console.log(String(piece)));
    res.on('end', () => server.close());
  });
}));
next();
