'use strict';
// Which characters are written as %XX where, after the URL standard.

function percent(text, pattern) {
  return text.toWellFormed().replace(pattern, (c) =>
    [...Buffer.from(c)].map((b) => `%${b.toString(16).toUpperCase().padStart(2, '0')}`).join(''));
}

module.exports = {
  percent,
  C0: /[\u0000-\u001f\u007f-\u{10ffff}]/gu,
  FRAGMENT: /[\u0000-\u0020"<>`\u007f-\u{10ffff}]/gu,
  QUERY: /[\u0000-\u0020"#<>\u007f-\u{10ffff}]/gu,
  SPECIAL_QUERY: /[\u0000-\u0020"#<>'\u007f-\u{10ffff}]/gu,
  PATH: /[\u0000-\u0020"#<>?`{}\u007f-\u{10ffff}]/gu,
  USER: /[\u0000-\u0020"#<>?`{}/:;=@[\\\]^|\u007f-\u{10ffff}]/gu,
};
