// react-dom/server, vue and svelte: pages made on a server, whole and as streams; pug
'use strict';
const { PassThrough } = require('node:stream');
const { createElement: h, Suspense, use, useState, useId, createContext, useContext } =
  require('react');
const { renderToPipeableStream, renderToReadableStream, renderToStaticMarkup, renderToString } =
  require('react-dom/server');

const Theme = createContext('light');
const later = (value, ms) => new Promise((resolve) => setTimeout(resolve, ms, value));

function Item({ text }) {
  const [count] = useState(() => text.length);
  return h('li', { className: useContext(Theme), id: useId(), 'data-n': count }, text, ' & <b>');
}

const page = (slow) => h(Theme.Provider, { value: 'dark' }, h('ul', { style: { marginTop: 4 } },
  ['one', 'two'].map((text) => h(Item, { key: text, text }))),
h(Suspense, { fallback: h('p', null, 'wait') }, h(() => h('p', null, use(slow)))));

async function withReact() {
  console.log(renderToStaticMarkup(
    h('a', { href: '/?a=1&b="2"', hidden: true, tabIndex: 0 }, 'é<')));
  console.log(renderToString(h(Item, { text: 'x' })));
  const sink = new PassThrough().setEncoding('utf8');
  let html = '';
  sink.on('data', (text) => { html += text; });
  const stream = renderToPipeableStream(page(later('slow text', 20)), {
    onShellReady() { stream.pipe(sink); }, onAllReady: () => console.log('all ready') });
  await new Promise((resolve) => sink.on('end', resolve));
  console.log(html);
  const body = await renderToReadableStream(page(later('as web stream', 5)));
  await body.allReady;
  console.log(await new Response(body).text());
  const errors = [];
  const failed = renderToPipeableStream(h(() => { throw new Error('broken page'); }), {
    onError: (error) => errors.push(error.message), onShellError: () => errors.push('shell') });
  await later(null, 5);
  failed.abort();
  console.log(errors);
}

async function withVue() {
  const { createSSRApp, computed, ref, provide, inject } = require('vue');
  const { renderToString: render, renderToNodeStream } = require('vue/server-renderer');
  const Child = { props: ['n'], setup: () => ({ colour: inject('colour') }),
    template: '<i :class="{ odd: n % 2 }" :style="{ color: colour }">{{ n }}<slot :n="n"/></i>' };
  const make = () => createSSRApp({ components: { Child }, async setup() {
    const list = ref(await later([1, 2, 3], 2));
    provide('colour', 'red');
    return { list, sum: computed(() => list.value.reduce((a, b) => a + b)), raw: '<u>' };
  }, template: `<h1 v-if="sum > 5">{{ sum }} {{ raw }}</h1><p v-else v-html="raw"></p>
    <Child v-for="n of list" :key="n" :n="n" v-slot="{ n }"><b v-show="n > 1">{{ -n }}</b></Child>
    <input v-model="sum"><Teleport to="#end">moved</Teleport>` });
  const context = {};
  console.log(await render(make(), context), context.teleports);
  let html = '';
  for await (const chunk of renderToNodeStream(make())) html += chunk;
  console.log(html.length);
}

async function withSvelte() {
  const { compile } = require('svelte/compiler');
  const source = `<script>
  let { name = 'world', list = [] } = $props();
  let doubled = $derived(list.map((n) => n * 2));
</script>
{#if list.length}<ul class:full={list.length > 2}>
  {#each doubled as n, i (n)}<li>{i}: {n}</li>{:else}<li>none</li>{/each}</ul>
{/if}
<h1 title={name}>Hello {name.toUpperCase()}!</h1>
<style>h1 { color: red; } .unused { color: blue; }</style>`;
  const { js, css, warnings } = compile(source, { generate: 'server', filename: 'App.svelte' });
  console.log(js.code, css.code, warnings.map(({ code, start }) => [code, start.line]));
  console.log(compile(source, { generate: 'client', filename: 'App.svelte' }).js.code);
  const { render } = await import('svelte/server');
  const file = require('node:path').join(__dirname, `app-${process.pid}.svelte.mjs`);
  require('node:fs').writeFileSync(file, js.code);
  try {
    const { default: App } = await import(file);
    console.log(render(App, { props: { name: 'you', list: [1, 2, 3] } }).body);
  } finally {
    require('node:fs').unlinkSync(file);
  }
  try {
    compile('{#if x}<p>', {});
  } catch (error) {
    console.log(error.code, error.position, error.message.split('\n')[0]);
  }
}

function withPug() {
  const pug = require('pug');
  const template = pug.compile(`mixin item(text)
  li(class=text.length > 3 ? 'long' : 'short')&attributes(attributes)= text
ul
  each text, i in list
    +item(text)(data-i=i)
  else
    li none
p.
  Text with #{name} and !{name} and #[b bold].
if list.length > 1
  //- hidden
  p many`);
  console.log(template({ list: ['one', 'three'], name: '<x>' }), template({ list: [], name: 1 }));
  try {
    pug.compile('ul\n  li(');
  } catch (error) {
    console.log(error.code, error.line, error.msg);
  }
}

withReact().then(withVue).then(withSvelte).then(withPug);
