// The page's words, in the language that was chosen: play/words has them.

let all = { en: { words: {}, sentences: {}, rules: {} } };
let language = 'en';

// { en: { words, sentences, rules }, zh: ... }
export function setTexts(texts) {
  all = texts;
}

export function setLanguage(name) {
  language = name;
}

export function getLanguage() {
  return language;
}

export function texts() {
  return all[language];
}

export function fill(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? '');
}

export function say(name, values) {
  return fill(texts().words[name] ?? name, values);
}

// Of something that exists in both languages.
export function inWords(both) {
  return both[language] ?? both.en;
}
