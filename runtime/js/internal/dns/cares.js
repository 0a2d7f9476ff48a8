'use strict';
// The questions that dns asks the system, in the form of Node's binding cares_wrap: a request is
// told what was found through its oncomplete(status, ...). --expose-internals shows this object.

const native = binding('dns');

const NOTFOUND = -3008;

class GetAddrInfoReqWrap {}
class GetNameInfoReqWrap {}

// 0: as they come, 1: IPv4 first, 2: IPv6 first
function sorted(found, order) {
  const isLater = (name) => (name === 'IPv6') === (order === 1);
  if (order !== 0) found.sort((a, b) => isLater(a[2]) - isLater(b[2]));
  return found.map(([address]) => address);
}

module.exports = {
  getaddrinfo(req, host, family, hints, order) {
    return native.addressInfo(host, family, hints, (status, found) => {
      if (status || found.length === 0) req.oncomplete(status || NOTFOUND, []);
      else req.oncomplete(null, sorted(found, order));
    });
  },
  getnameinfo(req, address, port) {
    return native.nameInfo(address, port, (status, host, service) => {
      req.oncomplete(status, host, service);
    });
  },
  AF_INET: 2, AF_INET6: 10, AF_UNSPEC: 0, AI_ADDRCONFIG: 32, AI_ALL: 16, AI_V4MAPPED: 8,
  DNS_ORDER_VERBATIM: 0, DNS_ORDER_IPV4_FIRST: 1, DNS_ORDER_IPV6_FIRST: 2,
  GetAddrInfoReqWrap, GetNameInfoReqWrap,
};
