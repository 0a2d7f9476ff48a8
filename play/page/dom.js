export function byId(id) {
  return document.getElementById(id);
}

// make('button', { class: 'main', text: 'Run' }, children)
export function make(name, given = {}, children = []) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (key === 'text') element.textContent = value;
    else if (key.startsWith('on')) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}
