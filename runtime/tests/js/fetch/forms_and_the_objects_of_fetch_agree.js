'use strict';
// FormData, what it becomes on the way, and what requests and answers show.
const http = require('http');

const tell = (work) => {
  try { return work(); } catch (error) { return `${error.name} ${error.code} ${error.message}`; }
};
const plain = (form) => [...form].map(([name, value]) =>
  [name, typeof value === 'string' ? value : [value.name, value.type, value.size]]);
const hidden = (text) => text.replace(/[0-9]{8,}/g, 'N');

const form = new FormData();
console.log(tell(() => form.append('a')), tell(() => new FormData({})), tell(() => form.get()),
  tell(() => form.append('a', 'b', 'c')), tell(() => FormData.prototype.get.call({}, 'a')),
  tell(() => form.forEach(1)), tell(() => form.forEach()));
form.append('a', 1);
form.append('b', new Blob(['x'], { type: 'text/plain' }));
form.append('b', new Blob(['y']), 'n.txt');
form.append('c\n"\r', 'x\ny');
form.append('lone', '\ud800');
console.log(plain(form), `${form}`, [...form.keys()], form.entries()[Symbol.toStringTag]);
console.log(form.get('b').name, form.get('b') instanceof File, form.getAll('b').length,
  form.get('none'), form.has('a'));
form.forEach(function each(value, name, all) { console.log(name, all === form, this === 7); }, 7);
form.set('a', '2');
form.set('b', 'only');
form.set('new', 'last');
form.delete('lone');
console.log(form);

async function bodies() {
  console.log(hidden(await new Response(form).text()));
  const files = new FormData();
  files.append('x', 'é');
  files.append('f\n"', new File(['data\r\n--'], 'a"\nb.txt', { type: 'text/css' }));
  console.log(plain(await new Response(files).formData()));
  console.log(plain(await new Response('a=1&b=%20c+d',
    { headers: { 'content-type': 'application/x-www-form-urlencoded' } }).formData()));
  for (const type of ['text/plain', 'multipart/form-data; boundary=abc', 'multipart/form-data']) {
    await new Response('zz', { headers: { 'content-type': type } }).formData()
      .catch((error) => console.log(error.name, error.message));
  }
}

function objects() {
  const request = new Request('http://x/y#h', { method: 'post', body: 'q', cache: 'no-store' });
  console.log(Object.keys(request), request, request.duplex);
  const response = new Response('a', { status: 201, statusText: 'ok' });
  console.log(Object.keys(response), response, response.clone().status);
  const { get } = Object.getOwnPropertyDescriptor(Response.prototype, 'status');
  console.log(tell(() => get.call({})), tell(() => { 'use strict'; response.status = 1; }) && '');
}

function overTheNetwork() {
  const server = http.createServer(async (req, res) => {
    const parts = [];
    for await (const part of req) parts.push(part);
    const { 'content-type': type } = req.headers;
    const got = await new Response(Buffer.concat(parts), { headers: { 'content-type': type } })
      .formData();
    res.end(JSON.stringify([hidden(type), plain(got)]));
  });
  server.listen(0, '127.0.0.1', async () => {
    const sent = new FormData();
    sent.append('file', new Blob([Buffer.alloc(100000, 'z')], { type: 'image/png' }), 'z.png');
    sent.append('text', 'line\nline');
    const answer = await fetch(`http://127.0.0.1:${server.address().port}`,
      { method: 'POST', body: sent });
    console.log(answer.status, answer.type, answer.redirected, await answer.json());
    server.close();
    server.closeAllConnections();
  });
}

bodies().then(objects).then(overTheNetwork);
