'use strict';
// Packages about the network.

const http = require('http');

const serve = (listener) =>
  new Promise((done) => {
    const server = http
      .createServer(listener)
      .listen(0, '127.0.0.1', () =>
        done({ server, url: `http://127.0.0.1:${server.address().port}` }),
      );
  });
const echo = (request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        method: request.method,
        url: request.url,
        type: request.headers['content-type']?.replace(/boundary=.*/, 'B'),
        length: body.length,
      }),
    );
  });
};
// A proxy for requests with a whole address.
const proxy = () =>
  serve((request, response) => response.end(`proxied ${new URL(request.url).pathname}`));

module.exports = {
  ws: async (load, show) => {
    const { WebSocketServer, WebSocket } = await load.all('ws');
    const server = new WebSocketServer({ port: 0, perMessageDeflate: true });
    server.on('connection', (socket) =>
      socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary })),
    );
    await new Promise((done) => server.once('listening', done));
    const client = new WebSocket(`ws://127.0.0.1:${server.address().port}`);
    client.on('open', () => {
      client.send('x'.repeat(2000));
      client.send(Buffer.from([1, 2]));
    });
    let count = 0;
    client.on('message', (data, isBinary) => {
      show(data.length, isBinary);
      if (++count === 2) client.close(4000, 'bye');
    });
    await new Promise((done) =>
      client.on('close', (code, reason) => {
        show(code, String(reason));
        done();
      }),
    );
    server.close();
  },
  'node-fetch': async (load, show) => {
    const { default: fetch, FormData } = await load.all('node-fetch');
    const { server, url } = await serve(echo);
    const form = new FormData();
    form.set('a', 'b');
    show(
      await (await fetch(`${url}/x?y=1`)).json(),
      await (await fetch(url, { method: 'POST', body: form })).json(),
    );
    server.close();
  },
  axios: async (load, show) => {
    const axios = await load('axios');
    const { server, url } = await serve((request, response) =>
      request.url === '/bad' ? response.writeHead(404).end('no') : echo(request, response),
    );
    show((await axios.post(`${url}/p`, { a: 1 }, { params: { q: 'ä' } })).data);
    await axios
      .get(`${url}/bad`)
      .catch((error) => show(error.code, error.response.status, error.message));
    server.close();
  },
  'form-data': async (load, show) => {
    const FormData = await load('form-data');
    const { server, url } = await serve(echo);
    const form = new FormData();
    form.append('a', 'text');
    form.append('f', Buffer.from('file'), { filename: 'f.txt', contentType: 'text/plain' });
    await new Promise((done) =>
      form.submit(url, (error, response) =>
        response.setEncoding('utf8').on('data', (text) => {
          show(text);
          done();
        }),
      ),
    );
    show(form.getLengthSync(), form.getBuffer().length);
    server.close();
  },
  'agent-base': async (load, show) => {
    const { Agent } = await load.all('agent-base');
    const { server, url } = await serve(echo);
    class Own extends Agent {
      connect(request, options) {
        show(options.secureEndpoint);
        return require('net').connect(options);
      }
    }
    await new Promise((done) =>
      http.get(url, { agent: new Own() }, (response) =>
        response.setEncoding('utf8').on('data', (text) => {
          show(text);
          done();
        }),
      ),
    );
    server.close();
    server.closeAllConnections();
  },
  'http-proxy-agent': async (load, show) => {
    const { HttpProxyAgent } = await load.all('http-proxy-agent');
    const { server, url } = await proxy();
    await new Promise((done) =>
      http.get('http://nowhere.test/path', { agent: new HttpProxyAgent(url) }, (response) =>
        response.setEncoding('utf8').on('data', (text) => {
          show(text);
          done();
        }),
      ),
    );
    server.close();
    server.closeAllConnections();
  },
  'https-proxy-agent': async (load, show) => {
    const { HttpsProxyAgent } = await load.all('https-proxy-agent');
    const { server, url } = await serve();
    const { server: target, url: to } = await serve(echo);
    server.on('connect', (request, socket) => {
      show(request.method);
      const through = require('net').connect(new URL(to).port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        through.pipe(socket).pipe(through);
      });
    });
    await new Promise((done) =>
      http.get(`${to}/t`, { agent: new HttpsProxyAgent(url) }, (response) =>
        response.setEncoding('utf8').on('data', (text) => {
          show(text);
          done();
        }),
      ),
    );
    for (const one of [server, target]) {
      one.close();
      one.closeAllConnections();
    }
  },
  'http-errors': async (load, show) => {
    const errors = await load('http-errors');
    show(
      errors(404).message,
      errors(500, 'x', { expose: true }),
      new errors.Forbidden().statusCode,
      errors.isHttpError(errors(418)),
    );
  },
  statuses: async (load, show) =>
    show(
      (await load('statuses'))('Not Found'),
      (await load('statuses')).retry,
      (await load('statuses')).message[201],
    ),
  cookie: async (load, show) => {
    const cookie = await load.all('cookie');
    show(
      Object.keys(cookie).sort(),
      cookie.parseCookie?.('a=b; c=%20d') ?? cookie.parse('a=b; c=%20d'),
    );
  },
  qs: async (load, show) => {
    const qs = await load('qs');
    show(
      qs.parse('a[b][]=1&a[b][]=2&c.d=x&e=%C3%A4', { allowDots: true }),
      qs.stringify({ a: { b: [1, 2] }, c: null, d: new Date(0) }, { arrayFormat: 'brackets' }),
    );
  },
  negotiator: async (load, show) => {
    const Negotiator = await load('negotiator');
    const one = new Negotiator({
      headers: {
        accept: 'text/html;q=0.5, application/*',
        'accept-language': 'en;q=0.8, de',
        'accept-encoding': 'gzip, br;q=0',
      },
    });
    show(
      one.mediaTypes(['text/html', 'application/json']),
      one.languages(['en', 'de']),
      one.encodings(),
    );
  },
  'path-to-regexp': async (load, show) => {
    const { match, compile, parse } = await load.all('path-to-regexp');
    show(
      match('/user/:id{/*rest}')('/user/5/a/b'),
      compile('/:a/x')({ a: 'ä b' }),
      parse('/:b').tokens.length,
    );
  },
  'whatwg-url': async (load, show) => {
    const { URL: Own, parseURL, basicURLParse } = await load('whatwg-url');
    const url = new Own('../ä?q=1#f', 'HTTP://EXAMPLE.com:80/a/b');
    url.searchParams.append('z', 'ß');
    show(
      url.href,
      parseURL('http://[::1]:99999'),
      typeof basicURLParse,
      new Own('http://faß.de').host,
    );
  },
  tr46: async (load, show) =>
    show((await load('tr46')).toASCII('faß.de'), (await load('tr46')).toUnicode('xn--fa-hia.de')),
  'webidl-conversions': async (load, show) => {
    const conversions = await load('webidl-conversions');
    show(conversions.octet(300), conversions['long long']('5.7'), conversions.USVString('\ud800'));
    try {
      conversions.byte(NaN, { enforceRange: true });
    } catch (error) {
      show(error.message);
    }
  },
  'raw-body': async (load, show) => {
    const raw = await load('raw-body');
    const { server, url } = await serve(async (request, response) =>
      response.end(
        await raw(request, { encoding: 'utf8', limit: 5 }).catch(
          (error) => `${error.status} ${error.type}`,
        ),
      ),
    );
    for (const body of ['ok', 'too long'])
      show(await (await fetch(url, { method: 'POST', body })).text());
    server.close();
    server.closeAllConnections();
  },
  finalhandler: async (load, show) => {
    const final = await load('finalhandler');
    const { server, url } = await serve((request, response) =>
      final(request, response, { onerror: (error) => show('error', error.message) })(
        request.url === '/e' ? Object.assign(new Error('broken'), { status: 503 }) : undefined,
      ),
    );
    for (const name of ['/none', '/e']) {
      const response = await fetch(url + name);
      show(response.status, (await response.text()).replace(/<br>.*/s, ''));
    }
    server.close();
    server.closeAllConnections();
  },
  'content-disposition': async (load, show) => {
    const disposition = await load('content-disposition');
    const { create = disposition, parse = disposition.parse } = disposition;
    show(create('€ rates.pdf'), parse('attachment; filename="a b.txt"').parameters);
  },
  'type-is': async (load, show) =>
    show(
      (await load('type-is')).is('application/vnd.x+json', ['+json', 'html']),
      (await load('type-is'))(
        { headers: { 'content-type': 'text/html; charset=utf-8', 'content-length': '1' } },
        ['html'],
      ),
    ),
  encodeurl: async (load, show) => show((await load('encodeurl'))('http://x/ä b?c=%20&d=\ud800')),
  send: async (load, show, folder) => {
    const send = await load('send');
    require('fs').writeFileSync(`${folder}/a.txt`, '0123456789');
    const { server, url } = await serve((request, response) =>
      send(request, request.url, { root: folder }).pipe(response),
    );
    for (const [file, headers] of [
      ['/a.txt', {}],
      ['/a.txt', { range: 'bytes=2-4' }],
      ['/none', {}],
    ]) {
      const response = await fetch(url + file, { headers });
      show(
        response.status,
        response.headers.get('content-type'),
        (await response.text()).slice(0, 20),
      );
    }
    server.close();
    server.closeAllConnections();
  },
};
