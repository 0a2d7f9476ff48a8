// Hooks, schemas, scopes; injected requests and one over TCP.
'use strict';
const fastify = require('fastify')();

fastify.addHook('onRequest', async (request) => { request.began = true; });
fastify.get('/', async () => ({ hello: 'world' }));
fastify.get('/user/:id', {
  schema: { params: { type: 'object', properties: { id: { type: 'integer' } } },
    response: { 200: { type: 'object', properties: { id: { type: 'integer' } } } } },
}, async (request) => ({ id: request.params.id, hidden: 1 }));
fastify.post('/sum', {
  schema: { body: { type: 'object', required: ['a', 'b'],
    properties: { a: { type: 'number' }, b: { type: 'number' } } } },
}, async (request) => ({ sum: request.body.a + request.body.b }));
fastify.register(async (scope) => {
  scope.decorate('secret', 42);
  scope.get('/inner', async () => ({ secret: scope.secret }));
}, { prefix: '/v1' });
fastify.setErrorHandler((error, request, reply) => {
  reply.status(error.statusCode ?? 500).send({ failed: error.message });
});

async function main() {
  for (const request of [{ url: '/' }, { url: '/user/12' }, { url: '/user/x' },
    { method: 'POST', url: '/sum', payload: { a: 1, b: 2 } },
    { method: 'POST', url: '/sum', payload: { a: 1 } }, { url: '/v1/inner' }, { url: '/none' }]) {
    const answer = await fastify.inject(request);
    console.log(request.url, answer.statusCode, answer.body);
  }
  const address = await fastify.listen({ port: 0, host: '127.0.0.1' });
  const http = require('node:http');
  http.get(`${address}/`, (res) => {
    res.setEncoding('utf8');
    res.on('data', (text) => console.log('over tcp', res.statusCode, text));
    res.on('end', () => fastify.close().then(() => console.log('closed')));
  });
}
main();
