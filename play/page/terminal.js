// What a program writes for a terminal, as text.

const CODES = /\x1b\[[0-9;?]*[A-Za-z]/g; // colours, and where to write

export function plain(text) {
  return text.replace(CODES, '');
}

// The lines of pieces: { text, ends } each, where `ends` says whether its line does. A line is said
// to be where its first piece is.
export function joined(pieces) {
  const lines = [];
  let isOpen = false;
  for (const piece of pieces) {
    if (isOpen) lines.at(-1).text += piece.text;
    else lines.push({ ...piece });
    isOpen = !piece.ends;
  }
  return lines;
}
