'use strict';
// HTTPParser, by which some packages read HTTP themselves: its callbacks, their arguments and
// order, what execute and finish give, and the pool of parsers that make messages.
process.removeAllListeners('warning');
const { HTTPParser, methods, parsers, freeParser, prepareError } = require('_http_common');
const http = require('http');
const net = require('net');
const { inspect } = require('util');

const NAMES = ['kOnMessageBegin', 'kOnHeaders', 'kOnHeadersComplete', 'kOnBody',
    'kOnMessageComplete', 'kOnExecute', 'kOnTimeout'];
const { REQUEST, RESPONSE } = HTTPParser;

function make(type, options = {}) {
    const parser = new HTTPParser();
    parser.initialize(type, {}, options.max || 0, options.lenient || 0);
    for (const name of NAMES) {
        parser[HTTPParser[name]] = function told(...args) {
            console.log(' ', name, this === parser, args.map((one) => Buffer.isBuffer(one)
                ? `<${one}>` : inspect(one, { breakLength: 200, maxArrayLength: 5 })).join(' '));
            if (options.throws === name) throw new Error('thrown');
            return options[name];
        };
        if (options.without === name) delete parser[HTTPParser[name]];
    }
    return parser;
}

const show = (result) => result instanceof Error
    ? `${result} ${result.code} ${result.reason} ${Object.keys(result)}` : inspect(result);

function attempt(name, work) {
    try {
        console.log(`  ${name}`, show(work()));
    } catch (error) {
        console.log(`  ${name} threw`, String(error));
    }
}

function run(title, type, pieces, options) {
    console.log(title);
    const parser = make(type, options);
    for (const one of pieces) attempt('=>', () => parser.execute(Buffer.from(one)));
    attempt('finish', () => parser.finish());
    console.log('  has head', parser.headersCompleted(), typeof parser.duration());
    parser.close();
}

const POST = 'POST / HTTP/1.1\r\n';
const CHUNKS = `${POST}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nA: b\r\n\r\n`;
const UPGRADE = 'Upgrade: x\r\nConnection: upgrade\r\n\r\nrest';
run('get', REQUEST, ['GET /a?b HTTP/1.1\r\nHost: x\r\nA:  b \r\n\r\n']);
run('two', REQUEST, ['GET / HTTP/1.1\r\n\r\nGET /2 HTTP/1.0\r\n\r\n']);
run('pieces', REQUEST, ['GE', 'T /a', 'b HT', 'TP/1.1\r\nHo', 'st: x', 'y\r\n\r', '\n']);
run('post', REQUEST, [`${POST}Content-Length: 5\r\n\r\nhel`, 'loGET / HTTP/1.1\r\n\r\n']);
run('chunks', REQUEST, [CHUNKS]);
for (const count of [31, 32, 40, 64])
    run(`${count} fields`, REQUEST, [`GET /a HTTP/1.1\r\n${'A: b\r\n'.repeat(count)}\r\n`]);
run('response', RESPONSE, ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab']);
run('until end', RESPONSE, ['HTTP/1.0 200 OK\r\n\r\nab', 'cd']);
run('100', RESPONSE, ['HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\n']);
run('head', RESPONSE,
    ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'],
    { kOnHeadersComplete: 1 });
run('other protocol', RESPONSE, [`HTTP/1.1 101 S\r\n${UPGRADE}`], { kOnHeadersComplete: 2 });
run('upgrade', REQUEST, [`GET / HTTP/1.1\r\n${UPGRADE}`]);
run('connect', REQUEST, ['CONNECT a:1 HTTP/1.1\r\n\r\nrest']);
run('wrong', REQUEST, ['BOO / HTTP/1.1\r\n\r\n', 'GET']);
run('wrong field', REQUEST, ['GET / HTTP/1.1\r\nA b: c\r\n\r\n']);
run('end', REQUEST, ['GET / HTTP/1.1\r\nA']);
run('large', REQUEST, [`GET / HTTP/1.1\r\nA: ${'x'.repeat(50)}\r\n\r\n`], { max: 20 });
run('strict', REQUEST, ['GET / HTTP/1.1\r\nA: \x01\r\n\r\n']);
run('lenient', REQUEST, ['GET / HTTP/1.1\r\nA: \x01\r\n\r\n'],
    { lenient: HTTPParser.kLenientAll });
run('close', REQUEST, ['GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 'GET / HTTP/1.1\r\n\r\n']);
for (const name of NAMES.slice(1, 5)) run(`throws ${name}`, REQUEST, [CHUNKS], { throws: name });
for (const name of ['kOnMessageBegin', 'kOnHeaders', 'kOnBody', 'kOnMessageComplete'])
    run(`without ${name}`, REQUEST, [CHUNKS], { without: name });

console.log('again');
const again = make(REQUEST);
again.execute(Buffer.from('GET / HT'));
again.initialize(RESPONSE, {}, 0, 0);
console.log(again.execute(Buffer.from('HTTP/1.1 200 OK\r\n\r\n')));
console.log(again.pause(), again.resume(), again.unconsume(), again.remove(), again.free());
try {
    ({ execute: again.execute }).execute(Buffer.from('GET'));
} catch (error) {
    console.log(error.name);
}

console.log('pool');
const pooled = parsers.alloc();
console.log(Object.keys(pooled).join(), parsers.name, parsers.max, methods.length, methods[1]);
http.setMaxIdleHTTPParsers(7);
console.log(parsers.max, Object.keys(process.binding('http_parser')).join());
pooled.initialize(REQUEST, {});
pooled.onIncoming = (req, keeps) => {
    console.log(req.method, req.url, req.headers, req.rawHeaders, req.httpVersion, keeps,
        req.upgrade, req === pooled.incoming);
    req.on('data', (bytes) => console.log('data', `${bytes}`));
    req.on('end', () => console.log('end', req.trailers, req.complete));
};
console.log(pooled.execute(Buffer.from(CHUNKS)));
const failure = Object.assign(new Error('x'), { reason: 'why' });
prepareError(failure, pooled, Buffer.from('raw'));
console.log(failure.message, failure.rawPacket);
setImmediate(() => {
    freeParser(pooled, null, null);
    console.log(parsers.list.length, pooled.onIncoming, parsers.alloc() === pooled);
    consume();
});

// The parser reads what the socket's handle brings.
function consume() {
    const server = net.createServer((socket) => {
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        server.close();
    }).listen(0, () => {
        const socket = net.connect(server.address().port);
        const parser = make(RESPONSE);
        parser.consume(socket._handle);
        parser[HTTPParser.kOnMessageComplete] = () => {
            console.log('complete');
            parser.unconsume();
            socket.destroy();
        };
    });
}
