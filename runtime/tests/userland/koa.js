// Middleware, a body as JSON, errors.
'use strict';
const Koa = require('koa');
const http = require('node:http');

const app = new Koa();
app.use(async (ctx, next) => {
  await next();
  ctx.set('X-Path', ctx.path);
});
app.use(async (ctx) => {
  if (ctx.path === '/json') ctx.body = { ok: true, query: ctx.query };
  else if (ctx.path === '/fail') ctx.throw(418, 'no coffee');
  else if (ctx.path === '/') ctx.body = 'hello';
});
app.on('error', (error) => console.log('error event', error.message));
const server = app.listen(0, async () => {
  for (const path of ['/', '/json?a=1', '/fail', '/none']) {
    await new Promise((resolve) => {
      http.get({ port: server.address().port, path }, (res) => {
        let text = '';
        res.on('data', (chunk) => { text += chunk; });
        res.on('end', () => {
          delete res.headers.date;
          console.log(path, res.statusCode, res.headers, text);
          resolve();
        });
      });
    });
  }
  server.close();
});
