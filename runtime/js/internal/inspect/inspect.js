'use strict';
// util.inspect: values as Node shows them.

const native = binding('util');
const { typeName } = binding('frames');
const { styled, width, quote, numberText } = require('internal/inspect/text');
const { group, layout } = require('internal/inspect/layout');
const { sizeOf, prefix, ownKeys, isIndex, extraKeys, tagOf, functionText } =
  require('internal/inspect/names');

const custom = Symbol.for('nodejs.util.inspect.custom');

const defaults = {
  showHidden: false, depth: 2, colors: false, customInspect: true, showProxy: false,
  maxArrayLength: 100, maxStringLength: 10000, breakLength: 80, compact: 3, sorted: false,
  getters: false, numericSeparator: false,
};

const OBJECT = 0;
const ARRAY = 1;
const NAMED = /^[a-zA-Z_][a-zA-Z_0-9]*$/;

const BOXES = { Number, String, Boolean, BigInt, Symbol };
const MOST_TEXT = 2 ** 27;

function inspect(value, options) {
  const ctx = {
    ...defaults, budget: {}, indentation: 0, seen: [], circular: undefined, currentDepth: 0,
    stylize: (text) => text,
  };
  if (typeof options === 'object' && options !== null) {
    for (const key of Object.keys(options)) {
      if (key in defaults || key === 'stylize') ctx[key] = options[key];
      else ctx.userOptions = options;
    }
  } else if (options !== undefined) {
    if (typeof options === 'boolean') ctx.showHidden = options;
    if (arguments[2] !== undefined) ctx.depth = arguments[2];
    if (arguments[3] !== undefined) ctx.colors = arguments[3];
  }
  if (ctx.colors) ctx.stylize = styled;
  if (ctx.maxArrayLength === null) ctx.maxArrayLength = Infinity;
  if (ctx.maxStringLength === null) ctx.maxStringLength = Infinity;
  return formatValue(ctx, value, 0);
}

function formatPrimitive(ctx, value) {
  const { stylize } = ctx;
  switch (typeof value) {
    case 'string': {
      let trailer = '';
      if (value.length > ctx.maxStringLength) {
        const rest = value.length - ctx.maxStringLength;
        value = value.slice(0, ctx.maxStringLength);
        trailer = `... ${rest} more character${rest > 1 ? 's' : ''}`;
      }
      if (ctx.compact !== true && value.length > 16 &&
          value.length > ctx.breakLength - ctx.indentation - 4) {
        return value.split(/(?<=\n)/).map((line) => stylize(quote(line), 'string'))
          .join(` +\n${' '.repeat(ctx.indentation + 2)}`) + trailer;
      }
      return stylize(quote(value), 'string') + trailer;
    }
    case 'number': return stylize(numberText(value, ctx.numericSeparator), 'number');
    case 'bigint': return stylize(`${ctx.numericSeparator
      ? `${value}`.replace(/\B(?=(\d{3})+$)/g, '_') : value}n`, 'bigint');
    case 'boolean': return stylize(`${value}`, 'boolean');
    case 'undefined': return stylize('undefined', 'undefined');
    default: return stylize(symbolText(value), 'symbol');
  }
}

function symbolText(value) {
  return Symbol.prototype.toString.call(value);
}

// Of the buffer of a view, whose bytes are shown already, the length is enough.
function formatValue(ctx, value, depth, isView) {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) {
    return value === null ? ctx.stylize('null', 'null') : formatPrimitive(ctx, value);
  }
  const proxy = native.proxyParts(value);
  const context = value;
  if (proxy !== undefined) {
    if (proxy[0] === null) return ctx.stylize('<Revoked Proxy>', 'special');
    if (ctx.showProxy) return formatProxy(ctx, proxy, depth);
    value = proxy[0];
    while (native.proxyParts(value) !== undefined) value = native.proxyParts(value)[0];
  }
  if (ctx.customInspect) {
    const maybe = value[custom];
    if (typeof maybe === 'function' && maybe !== inspect &&
        !(Object.hasOwn(value, 'constructor') && value.constructor.prototype === value)) {
      const left = ctx.depth === null ? null : ctx.depth - depth;
      const shown = maybe.call(context, left, userOptions(ctx), inspect);
      if (shown !== context) {
        const text = typeof shown !== 'object' ? `${shown}` : formatValue(ctx, shown, depth);
        return text.replaceAll('\n', `\n${' '.repeat(ctx.indentation)}`);
      }
    }
  }
  if (ctx.seen.includes(value)) {
    ctx.circular ??= new Map();
    if (!ctx.circular.has(value)) ctx.circular.set(value, ctx.circular.size + 1);
    return ctx.stylize(`[Circular *${ctx.circular.get(value)}]`, 'special');
  }
  return formatRaw(ctx, value, depth, isView);
}

function userOptions(ctx) {
  const out = { ...ctx.userOptions, stylize: ctx.stylize };
  for (const key of Object.keys(defaults)) out[key] = ctx[key];
  return out;
}

function formatProxy(ctx, parts, depth) {
  if (ctx.depth !== null && depth > ctx.depth) return ctx.stylize('Proxy [Array]', 'special');
  ctx.indentation += 2;
  const output = [formatValue(ctx, parts[0], depth + 1), formatValue(ctx, parts[1], depth + 1)];
  ctx.indentation -= 2;
  ctx.currentDepth = depth;
  return layout(ctx, output, '', ['Proxy [', ']'], ARRAY, depth);
}

function isInstanceOf(object, constructor) {
  try {
    return object instanceof constructor;
  } catch {
    return false;
  }
}

function constructorName(object, ctx, depth) {
  const start = object;
  let first;
  while (object) {
    const descriptor = Object.getOwnPropertyDescriptor(object, 'constructor');
    if (descriptor !== undefined && typeof descriptor.value === 'function' &&
        descriptor.value.name !== '' && isInstanceOf(start, descriptor.value)) {
      return descriptor.value.name;
    }
    object = Object.getPrototypeOf(object);
    first ??= object;
  }
  if (first === null || first === undefined) return null;
  const name = typeName(start) ?? native.className(start);
  if (ctx.depth !== null && depth > ctx.depth) return `${name} <Complex prototype>`;
  const shown = inspect(first, { ...ctx, customInspect: false, depth: -1, seen: undefined });
  return `${name} <${shown}>`;
}

const KINDS = ['Uint8Clamped', 'Int8', 'Uint8', 'Int16', 'Uint16', 'Int32', 'Uint32', 'BigInt64',
  'BigUint64', 'Float16', 'Float32', 'Float64'];
const TYPED = new RegExp(`^(${KINDS.join('|')})Array$`);

// What is special about each class: {base, braces, keys, formatter, extras}
function describe(ctx, value, constructor, tag, isView) {
  const name = native.className(value);
  const keys = () => ownKeys(value, ctx.showHidden);
  if (Array.isArray(value)) {
    const head = constructor !== 'Array' || tag !== ''
      ? prefix(constructor, tag, 'Array', `(${value.length})`) : '';
    return { keys: extraKeys(value, ctx.showHidden), braces: [`${head}[`, ']'], extras: ARRAY,
      formatter: formatArray, empty: `${head}[]` };
  }
  switch (name) {
    case 'Set':
      return { keys: keys(), formatter: formatSet,
        braces: [`${prefix(constructor, tag, 'Set', `(${sizeOf(Set, value)})`)}{`, '}'] };
    case 'Map':
      return { keys: keys(), formatter: formatMap,
        braces: [`${prefix(constructor, tag, 'Map', `(${sizeOf(Map, value)})`)}{`, '}'] };
    case 'Arguments':
    case 'Mapped Arguments':
      return { keys: keys(), braces: ['[Arguments] {', '}'], empty: '[Arguments] {}' };
    case 'Map Iterator':
    case 'Set Iterator':
      return describeIterator(value, name, tag, keys());
    case 'ArrayBuffer':
    case 'SharedArrayBuffer':
      return {
        keys: extraKeys(value, ctx.showHidden),
        braces: [`${prefix(constructor, tag, name)}{`, '}'],
        formatter: isView ? formatByteLength : formatArrayBuffer,
      };
    case 'DataView':
      return { keys: keys(), braces: [`${prefix(constructor, tag, name)}{`, '}'],
        formatter: formatDataView };
    case 'Promise':
      return { keys: keys(), braces: [`${prefix(constructor, tag, name)}{`, '}'],
        formatter: formatPromise };
    case 'WeakSet':
    case 'WeakMap':
      return { keys: keys(), braces: [`${prefix(constructor, tag, name)}{`, '}'],
        formatter: () => [ctx.stylize('<items unknown>', 'special')] };
    case 'WeakRef':
      return { keys: keys(), braces: [`${prefix(constructor, tag, name)}{`, '}'],
        formatter: (c, v, depth) => [formatValue(c, v.deref(), depth)] };
    case 'Generator':
    case 'AsyncGenerator':
      return { keys: keys(), braces: [`${prefix(constructor, tag, name)}{`, '}'] };
    default:
      break;
  }
  if (TYPED.test(name)) {
    const head = prefix(constructor, tag, name, `(${lengthOfTyped(value)})`);
    return { keys: extraKeys(value, ctx.showHidden), braces: [`${head}[`, ']'], extras: ARRAY,
      formatter: formatTypedArray, empty: ctx.showHidden ? undefined : `${head}[]` };
  }
  return describePlain(ctx, value, constructor, tag, name, keys());
}

function describePlain(ctx, value, constructor, tag, name, keys) {
  if (typeof value === 'function') {
    return { keys, base: functionText(value, constructor, tag), style: 'special' };
  }
  if (name === 'RegExp') {
    let base = RegExp.prototype.toString.call(value);
    const head = prefix(constructor, tag, 'RegExp');
    if (head !== 'RegExp ') base = `${head}${base}`;
    return { keys, base, style: 'regexp' };
  }
  if (name === 'External') {
    const { address } = require('internal/modules/addons');
    return { keys, base: `[External: ${address(value)}]`, style: 'special' };
  }
  if (name === 'Date') {
    const { getTime, toISOString } = Date.prototype;
    let base = Number.isNaN(getTime.call(value)) ? 'Invalid Date' : toISOString.call(value);
    const head = prefix(constructor, tag, 'Date');
    if (head !== 'Date ') base = `${head}${base}`;
    return { keys, base, style: 'date' };
  }
  if (native.isError(value) || value instanceof Error) {
    const { errorText } = require('internal/inspect/error');
    return { keys: errorKeys(ctx, value, keys), base: errorText(ctx, value, constructor),
      isError: true };
  }
  if (Object.hasOwn(BOXES, name)) {
    const inner = BOXES[name].prototype.valueOf.call(value);
    const type = name;
    let text = `[${type}`;
    if (type !== constructor)
      text += constructor === null ? ' (null prototype)' : ` (${constructor})`;
    const primitive = typeof inner === 'object' ? String(inner)
      : formatPrimitive({ ...ctx, stylize: (s) => s, maxStringLength: Infinity }, inner);
    text += `: ${primitive}]`;
    if (tag !== '' && tag !== constructor) text += ` [${tag}]`;
    const own = name === 'String'
      ? keys.filter((key) => !isIndex(key) && (ctx.showHidden || key !== 'length')) : keys;
    return { keys: own, base: text, style: name.toLowerCase() };
  }
  if (name === 'Module' || tag === 'Module') {
    return { keys, braces: ['[Module: null prototype] {', '}'], formatter: undefined };
  }
  const plain = constructor === 'Object' && tag === '';
  const maker = constructor === null ? typeName(value) : undefined;
  const head = plain ? ''
    : prefix(constructor, tag, maker === tag ? 'Object' : maker ?? 'Object');
  return { keys, braces: [`${head}{`, '}'], empty: `${head}{}` };
}

function errorKeys(ctx, error, keys) {
  if (ctx.showHidden) return keys;
  const text = String(error.stack);
  const out = keys.filter((key) =>
    !(['name', 'message', 'stack'].includes(key) && text.includes(error[key])));
  if (Object.hasOwn(error, 'cause') && !out.includes('cause')) out.push('cause');
  if (Array.isArray(error.errors) && Object.hasOwn(error, 'errors') && !out.includes('errors')) {
    out.push('errors');
  }
  return out;
}

function formatRaw(ctx, value, depth, isView) {
  const constructor = constructorName(value, ctx, depth);
  const tag = tagOf(value, constructor);
  const kind = describe(ctx, value, constructor, tag, isView);
  if (ctx.showHidden && (ctx.depth === null || depth <= ctx.depth)) {
    kind.inherited = require('internal/inspect/inherited').inheritedOf(value);
    if (kind.inherited.length > 0) kind.empty = undefined;
  }
  const { braces = ['{', '}'], formatter, extras = OBJECT, inherited = [] } = kind;
  const keys = [...kind.keys, ...inherited];
  let { base = '' } = kind;
  if (kind.base !== undefined && !kind.isError) {
    if (keys.length === 0) return ctx.stylize(base, kind.style);
  } else if (kind.isError) {
    if (keys.length === 0) return base;
  } else if (keys.length === 0 && kind.empty !== undefined &&
             (extras === OBJECT || value.length === 0)) {
    return kind.empty;
  } else if (keys.length === 0 && formatter === undefined) {
    return `${braces[0]}}`;
  } else if (keys.length === 0 && value.size === 0 && (formatter === formatSet ||
             formatter === formatMap)) {
    return `${braces[0]}}`;
  }
  if (ctx.depth !== null && depth > ctx.depth) {
    const name = constructor === null ? prefix(constructor, tag, 'Object').slice(0, -1)
      : prefix(constructor, tag, 'Object').slice(0, -1);
    return ctx.stylize(constructor === null ? name
      : `[${Array.isArray(value) ? 'Array' : name}]`, 'special');
  }
  const output = contents(ctx, value, depth, kind);
  if (output === undefined) {
    return ctx.stylize(`[${constructor === null ? prefix(constructor, tag, 'Object').slice(0, -1)
      : constructor}: Inspection interrupted prematurely. Maximum call stack size exceeded.]`,
    'special');
  }
  if (ctx.circular !== undefined && ctx.circular.has(value)) {
    const reference = ctx.stylize(`<ref *${ctx.circular.get(value)}>`, 'special');
    if (ctx.compact !== true) base = base === '' ? reference : `${reference} ${base}`;
    else braces[0] = `${reference} ${braces[0]}`;
  }
  if (ctx.sorted) {
    const compare = ctx.sorted === true ? undefined : ctx.sorted;
    if (extras === OBJECT) output.sort(compare);
    else if (keys.length > 1) {
      output.push(...output.splice(output.length - keys.length).sort(compare));
    }
  }
  const text = layout(ctx, output, base, braces, extras, depth, value);
  // More than anybody reads, on one level: what is left is named only.
  ctx.budget[ctx.indentation] = (ctx.budget[ctx.indentation] ?? 0) + text.length;
  if (ctx.budget[ctx.indentation] > MOST_TEXT) ctx.depth = -1;
  return text;
}

function dimmed(ctx, text) {
  return ctx.stylize === styled ? `\x1b[2m${text}\x1b[22m` : text;
}

// undefined if there is no room on the stack for all of it
function contents(ctx, value, depth, { keys, formatter, extras = OBJECT, inherited = [] }) {
  const { indentation } = ctx;
  ctx.seen.push(value);
  ctx.currentDepth = depth;
  try {
    const output = formatter ? formatter(ctx, value, depth + 1) : [];
    for (const key of keys) output.push(formatProperty(ctx, value, depth + 1, key, extras));
    for (const [key, descriptor] of inherited) {
      output.push(dimmed(ctx, formatProperty(ctx, value, depth + 1, key, extras, descriptor)));
    }
    return output;
  } catch (error) {
    if (!(error instanceof RangeError) || error.message !== 'Maximum call stack size exceeded')
      throw error;
    ctx.indentation = indentation;
    return undefined;
  } finally {
    ctx.seen.pop();
  }
}

function formatArray(ctx, value, depth) {
  const output = [];
  const length = value.length;
  let shown = 0;
  const limit = Math.min(Math.max(0, ctx.maxArrayLength), length);
  let index = 0;
  let indices, next = 0;
  for (; index < length && shown < limit; index++, shown++) {
    if (!Object.hasOwn(value, index)) {
      // Holes may be billions: from the first one on, only what is there is looked at.
      indices ??= Object.getOwnPropertyNames(value).filter(isIndex);
      while (next < indices.length && indices[next] < index) next++;
      const holes = Math.min(length, indices[next] ?? length);
      const count = holes - index;
      output.push(ctx.stylize(`<${count} empty item${count > 1 ? 's' : ''}>`, 'undefined'));
      index = holes - 1;
    } else {
      output.push(formatProperty(ctx, value, depth, index, ARRAY));
    }
  }
  const rest = length - index;
  if (rest > 0) output.push(`... ${rest} more item${rest > 1 ? 's' : ''}`);
  return output;
}

const typedPrototype = Object.getPrototypeOf(Uint8Array.prototype);
const { get: typedLength } = Object.getOwnPropertyDescriptor(typedPrototype, 'length');
const lengthOfTyped = (value) => typedLength.call(value);

function formatTypedArray(ctx, value, depth) {
  const length = lengthOfTyped(value);
  const shown = Math.min(Math.max(0, ctx.maxArrayLength), length);
  const output = [];
  for (let i = 0; i < shown; i++) output.push(formatPrimitive(ctx, value[i]));
  const rest = length - shown;
  if (rest > 0) output.push(`... ${rest} more item${rest > 1 ? 's' : ''}`);
  if (ctx.showHidden) {
    ctx.indentation += 2;
    for (const key of ['BYTES_PER_ELEMENT', 'length', 'byteLength', 'byteOffset', 'buffer']) {
      output.push(`[${key}]: ${formatValue(ctx, value[key], depth, true)}`);
    }
    ctx.indentation -= 2;
  }
  return output;
}

function formatArrayBuffer(ctx, value) {
  let bytes;
  try {
    bytes = new Uint8Array(value);
  } catch {
    return [ctx.stylize('(detached)', 'special')];
  }
  const limit = Math.min(Math.max(0, ctx.maxArrayLength), bytes.length);
  let text = Array.from(bytes.subarray(0, limit), (b) => b.toString(16).padStart(2, '0')).join(' ');
  const rest = bytes.length - limit;
  if (rest > 0) text += ` ... ${rest} more byte${rest > 1 ? 's' : ''}`;
  return [`${ctx.stylize('[Uint8Contents]', 'special')}: <${text}>`,
    ...formatByteLength(ctx, value)];
}

function formatByteLength(ctx, value) {
  return [`byteLength: ${formatPrimitive(ctx, value.byteLength)}`];
}

function formatDataView(ctx, value, depth) {
  ctx.indentation += 2;
  const output = ['byteLength', 'byteOffset', 'buffer'].map((key) =>
    `${key}: ${formatValue(ctx, value[key], depth)}`);
  ctx.indentation -= 2;
  return output;
}

function formatPromise(ctx, value, depth) {
  const [state, result] = native.promiseState(value);
  if (state === 0) return [ctx.stylize('<pending>', 'special')];
  ctx.indentation += 2;
  const text = formatValue(ctx, result, depth);
  ctx.indentation -= 2;
  return [state === 2 ? `${ctx.stylize('<rejected>', 'special')} ${text}` : text];
}

function limited(ctx, iterable, size, each) {
  const output = [];
  const shown = Math.min(Math.max(0, ctx.maxArrayLength), size);
  let count = 0;
  ctx.indentation += 2;
  for (const item of iterable) {
    if (count++ >= shown) break;
    output.push(each(item));
  }
  ctx.indentation -= 2;
  const rest = size - shown;
  if (rest > 0) output.push(`... ${rest} more item${rest > 1 ? 's' : ''}`);
  return output;
}

function formatSet(ctx, value, depth) {
  return limited(ctx, Set.prototype.values.call(value), value.size,
    (item) => formatValue(ctx, item, depth));
}

function formatMap(ctx, value, depth) {
  return limited(ctx, Map.prototype.entries.call(value), value.size,
    ([key, item]) => `${formatValue(ctx, key, depth)} => ${formatValue(ctx, item, depth)}`);
}

// Of a map or a set: what it has still to give.
function describeIterator(value, name, tag, keys) {
  const [isPairs, list] = native.iteratorRest(value) ?? [false, []];
  const title = isPairs ? name.replace('Iterator', 'Entries') : name;
  return { keys, braces: [`${tag === name ? '' : `[${tag}] `}[${title}] {`, '}'],
    formatter: (ctx, _, depth) => limited(ctx, list.values(), list.length, (item) => (isPairs
      ? `[ ${formatValue(ctx, item[0], depth)}, ${formatValue(ctx, item[1], depth)} ]`
      : formatValue(ctx, item, depth))) };
}

function formatGetter(ctx, descriptor, value, depth) {
  const kind = descriptor.set === undefined ? 'Getter'
    : descriptor.get === undefined ? 'Setter' : 'Getter/Setter';
  if (descriptor.get !== undefined && ctx.getters &&
      (ctx.getters === true || (ctx.getters === 'get' && descriptor.set === undefined) ||
       (ctx.getters === 'set' && descriptor.set !== undefined))) {
    try {
      const got = descriptor.get.call(value);
      ctx.indentation += 2;
      const text = got === null || typeof got !== 'object'
        ? `${ctx.stylize(`[${kind}:`, 'special')} ${formatPrimitive(ctx, got)}` +
          ctx.stylize(']', 'special')
        : `${ctx.stylize(`[${kind}]`, 'special')} ${formatValue(ctx, got, depth)}`;
      ctx.indentation -= 2;
      return text;
    } catch (error) {
      return ctx.stylize(`[${kind}: <Inspection threw (${error.message})>]`, 'special');
    }
  }
  return ctx.stylize(`[${kind}]`, 'special');
}

// A variable of a module that has not run yet can't be read.
function descriptorOf(value, key) {
  try {
    return Object.getOwnPropertyDescriptor(value, key) ||
      { value: value[key], configurable: true, enumerable: true };
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    return { isMissing: true, enumerable: true };
  }
}

function formatProperty(ctx, value, depth, key, type, descriptor = descriptorOf(value, key)) {
  let text;
  if (descriptor.isMissing) {
    text = ctx.stylize('<uninitialized>', 'special');
  } else if (descriptor.get !== undefined || descriptor.set !== undefined) {
    text = formatGetter(ctx, descriptor, value, depth);
  } else {
    const step = ctx.compact !== true || type !== OBJECT ? 2 : 3;
    ctx.indentation += step;
    text = formatValue(ctx, descriptor.value, depth);
    if (step === 3 && ctx.breakLength < width(text))
      text = `\n${' '.repeat(ctx.indentation)}${text}`;
    ctx.indentation -= step;
  }
  if (type === ARRAY && typeof key === 'number') return text;
  let name;
  if (typeof key === 'symbol') name = `[${ctx.stylize(symbolText(key), 'symbol')}]`;
  else if (key === '__proto__') name = "['__proto__']";
  else if (descriptor.enumerable === false) name = `[${key}]`;
  else if (NAMED.test(key)) name = ctx.stylize(key, 'name');
  else name = ctx.stylize(quote(key), 'string');
  return name + ': ' + text;
}

inspect.custom = custom;
inspect.defaultOptions = defaults;
inspect.colors = require('internal/inspect/text').colors;
inspect.styles = require('internal/inspect/text').styles;
module.exports = { inspect, custom, formatValue, group };
