'use strict';
const { pathToFileURL } = require('url');

for (const text of [
    'http:/a',
    'http:a',
    'http://a',
    'https:/a',
    'http:\\a',
    'http:?q',
    'http:#f',
]) {
    console.log(text, new URL(text, 'http://base:8/p/q?r#s').href);
}
for (const text of ['blob:http://a:80/b', 'blob:https://a:81/b', 'blob:ftp://a/b', 'blob:x']) {
    console.log(text, new URL(text).origin);
}
console.log(pathToFileURL('/a[b]^|~{} %?#\\x').href);
