'use strict';
const { withCode, invalidArgType, invalidArgValue } = require('internal/errors/errors');
const { validateBoolean, validateString } = require('internal/errors/validators');

function validateOption(name, option) {
  const path = `options.${name}`;
  if (option === null || typeof option !== 'object') throw invalidArgType(path, 'object', option);
  const { type, short, multiple, default: given } = option;
  if (type !== 'string' && type !== 'boolean') {
    throw invalidArgType(`${path}.type`, '(\'string|boolean\')', type);
  }
  if (Object.hasOwn(option, 'short')) {
    validateString(short, `${path}.short`);
    if (short.length !== 1) {
      throw invalidArgValue(`${path}.short`, short, 'must be a single character');
    }
  }
  if (Object.hasOwn(option, 'multiple')) validateBoolean(multiple, `${path}.multiple`);
  if (given === undefined) return;
  const validate = type === 'string' ? validateString : validateBoolean;
  if (!multiple) {
    validate(given, `${path}.default`);
  } else {
    if (!Array.isArray(given)) throw invalidArgType(`${path}.default`, 'Array', given);
    given.forEach((one, i) => validate(one, `${path}.default[${i}]`));
  }
}

// What the arguments are, before anything is said about them.
function toTokens(args, options, allowNegative) {
  const tokens = [];
  const byShort = {};
  for (const name of Object.keys(options)) {
    if (options[name].short) byShort[options[name].short] = name;
  }
  const takesValue = (name) => Object.hasOwn(options, name) && options[name].type === 'string';
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    const index = i;
    const add = (name, rawName, inline) => {
      const isInline = inline !== undefined;
      const value = isInline || !takesValue(name) || i + 1 >= args.length ? inline : args[++i];
      tokens.push({ kind: 'option', name, rawName, index, value,
        inlineValue: value === undefined ? undefined : isInline });
    };
    if (arg === '--') {
      tokens.push({ kind: 'option-terminator', index });
      while (++i < args.length) tokens.push({ kind: 'positional', index: i, value: args[i] });
    } else if (arg.startsWith('--') && arg.length > 2) {
      const at = arg.indexOf('=', 3);
      const rawName = at === -1 ? arg : arg.slice(0, at);
      let name = rawName.slice(2);
      const positive = name.slice(3);
      if (allowNegative && name.startsWith('no-') && !takesValue(positive)) name = positive;
      add(name, rawName, at === -1 ? undefined : arg.slice(at + 1));
    } else if (arg.startsWith('-') && arg.length > 1) {
      for (let k = 1; k < arg.length; k++) {
        const name = byShort[arg[k]] ?? arg[k];
        const takesRest = takesValue(name) && k + 1 < arg.length;
        add(name, `-${arg[k]}`, takesRest ? arg.slice(k + 1) : undefined);
        if (takesRest) break;
      }
    } else {
      tokens.push({ kind: 'positional', index, value: arg });
    }
  }
  return tokens;
}

function wrongValue(text) {
  return withCode(TypeError, 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE', text);
}

function checkOption({ name, rawName, value, inlineValue }, options, allowPositionals) {
  if (!Object.hasOwn(options, name)) {
    throw withCode(TypeError, 'ERR_PARSE_ARGS_UNKNOWN_OPTION', `Unknown option '${rawName}'${
      allowPositionals ? '. To specify a positional argument starting with a \'-\', place it at ' +
        `the end of the command after '--', as in '-- "${rawName}"` : ''}`);
  }
  const { type, short } = options[name];
  const label = `${short ? `-${short}, ` : ''}--${name}`;
  if (type === 'string' && typeof value !== 'string') {
    throw wrongValue(`Option '${label} <value>' argument missing`);
  }
  if (type === 'boolean' && value !== undefined) {
    throw wrongValue(`Option '${label}' does not take an argument`);
  }
  if (inlineValue === false && value.length > 1 && value.startsWith('-')) {
    const instead = rawName.startsWith('--') ? `'${rawName}=-XYZ'`
      : `'--${name}=-XYZ' or '${rawName}-XYZ'`;
    throw wrongValue(`Option '${rawName}' argument is ambiguous.\n` +
      `Did you forget to specify the option argument for '${rawName}'?\n` +
      `To specify an option argument starting with a dash use ${instead}.`);
  }
}

// With code on the command line there is no file before them.
function ownArguments() {
  const isCode = process.execArgv.some((word) => ['-e', '--eval', '-p', '--print'].includes(word));
  return process.argv.slice(isCode ? 1 : 2);
}

function parseArgs(config = {}) {
  const { args = ownArguments(), options = {}, strict = true, allowPositionals = !strict,
    tokens: returnTokens = false, allowNegative = false } = config;
  if (!Array.isArray(args)) throw invalidArgType('args', 'Array', args);
  validateBoolean(strict, 'strict');
  validateBoolean(allowPositionals, 'allowPositionals');
  validateBoolean(returnTokens, 'tokens');
  validateBoolean(allowNegative, 'allowNegative');
  if (options === null || typeof options !== 'object') {
    throw invalidArgType('options', 'object', options);
  }
  for (const name of Object.keys(options)) validateOption(name, options[name]);

  const tokens = toTokens(args, options, allowNegative);
  const values = { __proto__: null };
  const positionals = [];
  for (const token of tokens) {
    const { kind, name, rawName, value } = token;
    if (kind === 'option') {
      if (strict) checkOption(token, options, allowPositionals);
      if (name === '__proto__') continue;
      const kept = value ?? rawName !== `--no-${name}`;
      if (Object.hasOwn(options, name) && options[name].multiple) (values[name] ??= []).push(kept);
      else values[name] = kept;
    } else if (kind === 'positional') {
      if (!allowPositionals) {
        throw withCode(TypeError, 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL',
          `Unexpected argument '${value}'. This command does not take positional arguments`);
      }
      positionals.push(value);
    }
  }
  for (const name of Object.keys(options)) {
    const given = options[name].default;
    if (name === '__proto__') continue;
    if (given !== undefined && values[name] === undefined) values[name] = given;
  }
  return returnTokens ? { values, positionals, tokens } : { values, positionals };
}

module.exports = { parseArgs };
