// What the browser keeps for the reader. Where it keeps nothing (a page from a file, a frame), the
// page works all the same.

const PREFIX = 'phasor-play-';

export function kept(name) {
  try {
    return localStorage.getItem(PREFIX + name) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // There is no place to keep it.
  }
}
