'use strict';
// Node's name internal/url.

const url = require('url');
const { URL, URLSearchParams } = require('internal/url/url');

// Not the objects of url.parse(), nor others with such properties.
function isURL(value) {
  return Boolean(value?.href && value.protocol && value.auth === undefined &&
    value.path === undefined);
}

module.exports = { ...url, URL, URLSearchParams, isURL };
