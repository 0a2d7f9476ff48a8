'use strict';
// Packages about values, collections, functions and promises.

module.exports = {
  'lru-cache': async (load, show) => {
    const { LRUCache } = await load.all('lru-cache');
    const cache = new LRUCache({ max: 2, dispose: (value, key, why) => show('gone', key, why) });
    cache.set('a', 1).set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    show([...cache.keys()], cache.has('b'), cache.size);
  },
  yallist: async (load, show) => {
    const { Yallist } = await load.all('yallist');
    const list = new Yallist([1, 2, 3]);
    list.push(4);
    list.unshift(0);
    show(list.toArray(), list.map((x) => x * 2).toArrayReverse(), list.length);
  },
  'balanced-match': async (load, show) => {
    const { balanced } = await load.all('balanced-match');
    show(balanced('{', '}', 'pre{in{nest}}post'), balanced(/\s+\{/, /\}/, 'a {b} c'));
  },
  'brace-expansion': async (load, show) => {
    const { expand } = await load.all('brace-expansion');
    show(expand('file-{a,b,c{1..3}}.jpg'), expand('{01..10..3}'), expand('-v{,,}'));
  },
  'json-schema-traverse': async (load, show) => {
    (await load('json-schema-traverse'))(
      { properties: { a: { type: 'string' } }, allOf: [{}] },
      (schema, pointer) => show(pointer),
    );
  },
  ajv: async (load, show) => {
    const Ajv = await load('ajv');
    const ajv = new (Ajv.default ?? Ajv)({ allErrors: true });
    const validate = ajv.compile({
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer', minimum: 2 }, b: { enum: ['x'] } },
      additionalProperties: false,
    });
    show(validate({ a: 3, b: 'x' }), validate({ a: 1, c: 0 }), validate.errors);
  },
  'p-limit': async (load, show) => {
    const limit = (await load('p-limit'))(2);
    let most = 0;
    let now = 0;
    await Promise.all(
      [1, 2, 3, 4].map(() =>
        limit(async () => {
          most = Math.max(most, ++now);
          await null;
          now--;
        }),
      ),
    );
    show(most, limit.activeCount);
  },
  'p-locate': async (load, show) =>
    show(await (await load('p-locate'))([1, 2, 3], async (x) => x > 1)),
  'yocto-queue': async (load, show) => {
    const Queue = await load('yocto-queue');
    const queue = new Queue();
    queue.enqueue('a');
    queue.enqueue('b');
    show(queue.dequeue(), queue.size, [...queue], queue.peek());
  },
  'fast-deep-equal': async (load, show) => {
    const equal = await load('fast-deep-equal');
    show(equal({ a: [1, { b: NaN }] }, { a: [1, { b: NaN }] }), equal([1], [2]), equal(/a/g, /a/g));
  },
  lodash: async (load, show) => {
    const _ = await load('lodash');
    show(
      _.groupBy([1.2, 1.8, 2.1], Math.floor),
      _.merge({ a: [{ b: 2 }] }, { a: [{ c: 3 }] }),
      _.kebabCase('fooBar Baz'),
      _.chain([3, 1, 2])
        .sortBy()
        .map((x) => x * 2)
        .value(),
      _.template('<%= a %>-<%- b %>')({ a: 1, b: '<' }),
      _.cloneDeep(new Map([[1, { a: 2 }]])),
    );
    const late = _.debounce(() => show('debounced'), 5);
    late();
    late();
  },
  'is-number': async (load, show) => {
    const is = await load('is-number');
    show(['5', 5e3, 0xff, '', null, NaN, [], '1.1'].map(is));
  },
  hasown: async (load, show) =>
    show((await load('hasown'))({ a: 1 }, 'a'), (await load('hasown'))([], 'map')),
  'function-bind': async (load, show) => {
    const bind = await load('function-bind');
    show(
      bind.call(
        function f(a, b) {
          return [this.x, a, b];
        },
        { x: 1 },
        2,
      )(3),
    );
  },
  'get-intrinsic': async (load, show) => {
    const get = await load('get-intrinsic');
    show(
      get('%Array.prototype.push%') === Array.prototype.push,
      get('%Math.pow%')(2, 3),
      get('%AsyncGeneratorPrototype%') === Object.getPrototypeOf(async function* () {}).prototype,
    );
    try {
      get('%nothing%');
    } catch (error) {
      show(error.message);
    }
  },
  'es-errors': async (load, show) =>
    show((await load('es-errors')) === Error, (await load('es-errors/type')) === TypeError),
  'has-symbols': async (load, show) => show((await load('has-symbols'))()),
  'es-define-property': async (load, show) =>
    show((await load('es-define-property')) === Object.defineProperty),
  gopd: async (load, show) =>
    show(
      (await load('gopd'))(
        {
          get a() {
            return 1;
          },
        },
        'a',
      ).set,
    ),
  'math-intrinsics': async (load, show) =>
    show((await load('math-intrinsics/abs'))(-2), (await load('math-intrinsics/sign'))(-3)),
  'dunder-proto': async (load, show) =>
    show((await load('dunder-proto/get'))([]) === Array.prototype),
  'get-proto': async (load, show) => show((await load('get-proto'))([]) === Array.prototype),
  'call-bind-apply-helpers': async (load, show) =>
    show((await load('call-bind-apply-helpers'))([Array.prototype.slice])([1, 2, 3], 1)),
  'side-channel-list': async (load, show) => {
    const list = (await load('side-channel-list'))();
    const key = {};
    list.set(key, 5);
    show(list.get(key), list.has({}), list.delete(key));
    try {
      list.assert(key);
    } catch (error) {
      show(error.name, error.message);
    }
  },
  'es-set-tostringtag': async (load, show) => {
    const one = {};
    (await load('es-set-tostringtag'))(one, 'Tag');
    show(String(one));
  },
  'call-bound': async (load, show) =>
    show(
      (await load('call-bound'))('Array.prototype.join')([1, 2], '-'),
      (await load('call-bound'))('%parseInt%')('12px'),
    ),
  'lodash.merge': async (load, show) =>
    show(
      (await load('lodash.merge'))(
        { a: [{ b: 2 }, 1] },
        { a: [{ c: 3 }] },
        { d: Buffer.from('x') },
      ),
    ),
  'json-stable-stringify-without-jsonify': async (load, show) =>
    show(
      (await load('json-stable-stringify-without-jsonify'))(
        { c: 1, a: [{ z: 1, y: null }] },
        { space: 1 },
      ),
    ),
  'has-tostringtag': async (load, show) =>
    show((await load('has-tostringtag'))(), (await load('has-tostringtag/shams'))()),
  'object-assign': async (load, show) =>
    show((await load('object-assign'))({ a: 1 }, null, { b: 2 })),
  'object-inspect': async (load, show) => {
    const inspect = await load('object-inspect');
    const circle = { a: [1, , new Map([[{ b: 1 }, 'x']])], s: Symbol('y'), d: new Date(0), f() {} };
    circle.self = circle;
    show(
      inspect(circle),
      inspect(new Proxy([1], {})),
      inspect({ a: { b: { c: { d: 1 } } } }, { depth: 2, indent: 2 }),
      inspect(new WeakMap()),
    );
  },
  'kind-of': async (load, show) => {
    const kind = await load('kind-of');
    show(
      [
        undefined,
        null,
        1,
        'a',
        [],
        {},
        /x/,
        new Date(),
        new Map(),
        Symbol('a'),
        function* () {},
        Promise.resolve(),
        Buffer.from(''),
        new Error('x'),
        (function () {
          return arguments;
        })(),
      ].map((x) => kind(x)),
    );
  },
  'is-arrayish': async (load, show) =>
    show((await load('is-arrayish'))({ length: 0, splice() {} })),
  isarray: async (load, show) => show((await load('isarray'))([]), (await load('isarray'))({})),
  eventemitter3: async (load, show) => {
    const { EventEmitter } = await load.all('eventemitter3');
    const emitter = new EventEmitter();
    emitter.once(
      'a',
      function (x) {
        show(x, this.y);
      },
      { y: 2 },
    );
    show(emitter.emit('a', 1), emitter.emit('a', 1), emitter.listenerCount('a'));
  },
  onetime: async (load, show) => {
    const onetime = await load('onetime');
    let count = 0;
    const once = onetime(() => ++count);
    show(once(), once(), onetime.callCount(once));
  },
  'mimic-fn': async (load, show) => {
    const mimic = (await load.all('mimic-fn')).default;
    const to = function () {};
    mimic(to, function named(a, b) {
      return a + b;
    });
    show(to.name, String(to));
  },
  once: async (load, show) => {
    const once = await load('once');
    let count = 0;
    const f = once(() => ++count);
    f();
    show(f(), f.called);
  },
  wrappy: async (load, show) => {
    const wrappy = await load('wrappy');
    const once = wrappy((cb) => {
      let called = false;
      return function () {
        if (called) return;
        called = true;
        return cb.apply(this, arguments);
      };
    });
    const f = once(Object.assign((x) => x, { prop: 1 }));
    show(f(1), f(2), f.prop);
  },
  'concat-map': async (load, show) => show((await load('concat-map'))([1, 2], (x) => [x, [x]])),
  pify: async (load, show) => {
    const pify = await load('pify');
    show(
      await pify((a, done) => done(null, a + 1))(1),
      await pify({
        f(done) {
          done(null, this.x);
        },
        x: 7,
      }).f(),
    );
  },
  reusify: async (load, show) => {
    const pool = (await load('reusify'))(
      class {
        constructor() {
          this.next = null;
          this.n = 0;
        }
      },
    );
    const one = pool.get();
    pool.release(one);
    show(pool.get() === one);
  },
  fastq: async (load, show) => {
    const fastq = await load('fastq');
    const queue = fastq.promise(async (x) => {
      await null;
      return x * 2;
    }, 1);
    show(await Promise.all([queue.push(1), queue.push(2)]));
    await queue.drained();
    show(queue.idle());
  },
  'run-parallel': async (load, show) =>
    (await load('run-parallel'))(
      [(done) => setTimeout(done, 5, null, 1), (done) => done(null, 2)],
      (error, list) => show(error, list),
    ),
  'util-deprecate': async (load, show) => {
    const deprecate = await load('util-deprecate');
    show(deprecate(() => 5, 'old()')());
  },
  keyv: async (load, show) => {
    const { Keyv } = await load.all('keyv');
    const keyv = new Keyv({ namespace: 'n' });
    await keyv.set('a', { b: [1] }, 50);
    show(await keyv.get('a'), await keyv.has('z'), await keyv.delete('a'), await keyv.get('a'));
  },
  debug: async (load, show) => {
    const debug = await load('debug');
    debug.enable('app:*,-app:no');
    const log = debug('app:yes');
    log.log = (...args) =>
      show(
        args.length,
        String(args[0])
          .replace(/\d{4}-\S+/, 'TIME')
          .includes('n=5'),
      );
    log('n=%d %o', 5, { a: 1 });
    show(debug('app:no').enabled, log.extend('x').namespace);
  },
  '@radix-ui/react-primitive': async (load, show) => {
    const { Primitive } = await load.all('@radix-ui/react-primitive');
    const { createElement } = await load.all('react');
    const { renderToString } = await load.all('react-dom/server');
    show(renderToString(createElement(Primitive.button, { type: 'button' }, 'go')));
  },
  'react-is': async (load, show) => {
    const is = await load('react-is');
    const { createElement, Fragment, memo } = await load.all('react');
    show(
      is.isElement(createElement('a')),
      is.isFragment(createElement(Fragment)),
      is.isMemo(createElement(memo(() => null))),
      is.typeOf(createElement('b')),
    );
  },
  'deep-is': async (load, show) => show((await load('deep-is'))({ a: [1, NaN] }, { a: [1, NaN] })),
  optionator: async (load, show) => {
    const parse = (await load('optionator'))({
      prepend: 'Usage: cmd',
      options: [
        { option: 'help', alias: 'h', type: 'Boolean', description: 'shows' },
        { option: 'count', type: 'Int', default: '3', description: 'how many' },
      ],
    });
    show(parse.parseArgv(['node', 'x', '--count=5', 'rest', '-h']), parse.generateHelp());
  },
  levn: async (load, show) =>
    show(
      (await load('levn')).parse('[Int] | {a: String}', '[1, 2, 3]'),
      (await load('levn')).parse('{a: String, b: Maybe Number}', '{a: x, b: 2}'),
    ),
  'type-check': async (load, show) => {
    const { typeCheck } = await load('type-check');
    show(
      typeCheck('{a: Number, b: [String]}', { a: 1, b: ['x'] }),
      typeCheck('(Int, Maybe Date)', [1.5]),
    );
  },
  'prelude-ls': async (load, show) => {
    const ls = await load('prelude-ls');
    show(
      ls.map(ls.pow(2), [1, 2]),
      ls.words('a  b'),
      ls.group(['a', 'b', 'a']),
      ls.partition(ls.even, [1, 2, 3]),
    );
  },
};
