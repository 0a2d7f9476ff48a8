// needs: words
'use strict';
for (const text of ['[1 2]', '{"a" 1}', '{"a":1 "b"}', '"a\nb"', '[1,]', 'nul', '1 2', '{"a":1}}',
  '1.', '1e', '"\\x"', '"\\u12"', 'x'.repeat(50), `[${'1,'.repeat(50)}x${'1,'.repeat(50)}`,
  '{broken', '{"a":1,}', '[1,', 'x', '', '{"a":tru}', '{"a":truthy, "b": 12345678901234}', '{',
  "{'a':1}", '<!DOCTYPE html>']) {
  try {
    JSON.parse(text);
  } catch (error) {
    console.log(error.name, error.message);
  }
}
