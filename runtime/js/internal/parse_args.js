'use strict';
const { withCode, invalidArgType } = require('internal/errors');

function parseArgs(config = {}) {
  const { args = process.argv.slice(2), options = {}, strict = true, allowPositionals = !strict,
    tokens: wantTokens = false, allowNegative = false } = config;
  if (!Array.isArray(args)) throw invalidArgType('args', 'Array', args);
  const values = { __proto__: null };
  const positionals = [];
  const tokens = [];
  const byShort = {};
  for (const [name, option] of Object.entries(options))
    if (option.short) byShort[option.short] = name;
  const store = (name, value, rawName) => {
    const positive = name.slice(3);
    if (allowNegative && value === undefined && name.startsWith('no-') &&
        options[positive]?.type === 'boolean') {
      values[positive] = options[positive].multiple ? [...values[positive] ?? [], false] : false;
      return;
    }
    const option = options[name];
    if (strict && !option) {
      throw withCode(TypeError, 'ERR_PARSE_ARGS_UNKNOWN_OPTION', `Unknown option '${rawName}'${
        allowPositionals ? `. To specify a positional argument starting with a '-', place it at ` +
          `the end of the command after '--', as in '-- "${rawName}"` : ''}`);
    }
    if (strict && option.type === 'string' && typeof value !== 'string') {
      throw withCode(TypeError, 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE',
        `Option '${option.short ? `-${option.short}, ` : ''}--${name} <value>' argument missing`);
    }
    if (strict && option.type === 'boolean' && typeof value === 'string') {
      throw withCode(TypeError, 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE',
        `Option '${option.short ? `-${option.short}, ` : ''}--${name}' does not take an argument`);
    }
    const kept = value ?? true;
    if (option && option.multiple) (values[name] ??= []).push(kept);
    else values[name] = kept;
  };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === '--') {
      tokens.push({ kind: 'option-terminator', index: i });
      positionals.push(...args.slice(i + 1));
      break;
    }
    const takes = (name) => options[name]?.type === 'string';
    if (arg.startsWith('--') && arg.length > 2) {
      const at = arg.indexOf('=');
      const name = at === -1 ? arg.slice(2) : arg.slice(2, at);
      let value = at === -1 ? undefined : arg.slice(at + 1);
      const index = i;
      if (value === undefined && takes(name) && i + 1 < args.length) value = args[++i];
      tokens.push({ kind: 'option', name, rawName: `--${name}`, index, value,
        inlineValue: value === undefined ? undefined : at !== -1 });
      store(name, value, `--${name}`);
    } else if (arg.startsWith('-') && arg.length > 1) {
      for (let k = 1; k < arg.length; k++) {
        const short = arg[k];
        const name = byShort[short] ?? short;
        let value;
        const index = i;
        if (takes(name)) {
          if (k + 1 < arg.length) value = arg.slice(k + 1);
          else if (i + 1 < args.length) value = args[++i];
        }
        tokens.push({ kind: 'option', name, rawName: `-${short}`, index, value,
          inlineValue: value === undefined ? undefined : k + 1 < arg.length });
        store(name, value, `-${short}`);
        if (value !== undefined) break;
      }
    } else {
      if (!allowPositionals) {
        throw withCode(TypeError, 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL',
          `Unexpected argument '${arg}'. This command does not take positional arguments`);
      }
      tokens.push({ kind: 'positional', index: i, value: arg });
      positionals.push(arg);
    }
  }
  for (const [name, option] of Object.entries(options)) {
    if (option.default !== undefined && values[name] === undefined) values[name] = option.default;
  }
  return wantTokens ? { values, positionals, tokens } : { values, positionals };
}

module.exports = { parseArgs };
