'use strict';
// Node's binding cares_wrap: what dns itself calls. A function that is put in place is called.

const { ChannelWrap, library } = require('internal/dns/servers');
const { QueryReqWrap } = require('internal/dns/queries');

module.exports = Object.assign(require('internal/dns/cares'), {
  ChannelWrap, QueryReqWrap,
  strerror: (status) => library().words(status),
});
