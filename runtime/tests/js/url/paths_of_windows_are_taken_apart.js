'use strict';
const { win32 } = require('path');

console.log(win32 === require('path/win32'), win32.sep, win32.delimiter);
for (const path of ['C:\\a\\..\\b\\', 'C:a', '\\\\server\\share\\dir\\..', 'a/b\\c', '', 'C:',
  '\\', '//x']) {
  console.log([path, win32.normalize(path), win32.dirname(path), win32.basename(path),
    win32.isAbsolute(path)]);
  console.log(win32.parse(path));
}
console.log(win32.join('C:\\', '..', 'a'), win32.join('\\\\server', 'share'), win32.join());
console.log(win32.resolve('C:\\a', '..', 'D:b', 'D:\\c'), win32.relative('C:\\a\\b', 'C:\\A\\c'));
console.log(win32.toNamespacedPath('C:\\foo'), win32.format({ dir: 'C:\\a', base: 'b.c' }));
