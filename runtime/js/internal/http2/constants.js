'use strict';
// The numbers and names that HTTP/2 is made of, as Node calls them.

const HEADERS = (
  ':status :method :authority :scheme :path :protocol accept-encoding accept-language ' +
  'accept-ranges accept access-control-allow-credentials access-control-allow-headers ' +
  'access-control-allow-methods access-control-allow-origin access-control-expose-headers ' +
  'access-control-request-headers access-control-request-method age authorization ' +
  'cache-control connection content-disposition content-encoding content-length ' +
  'content-type cookie date etag forwarded host if-modified-since if-none-match if-range ' +
  'last-modified link location range referer server set-cookie strict-transport-security ' +
  'transfer-encoding te upgrade-insecure-requests upgrade user-agent vary ' +
  'x-content-type-options x-frame-options keep-alive proxy-connection x-xss-protection ' +
  'alt-svc content-security-policy early-data expect-ct origin purpose timing-allow-origin ' +
  'x-forwarded-for priority accept-charset access-control-max-age allow content-language ' +
  'content-location content-md5 content-range dnt expect expires from if-match ' +
  'if-unmodified-since max-forwards prefer proxy-authenticate proxy-authorization refresh ' +
  'retry-after trailer tk via warning www-authenticate http2-settings ').trim().split(' ');
const METHODS = (
  'ACL BASELINE-CONTROL BIND CHECKIN CHECKOUT CONNECT COPY DELETE GET HEAD LABEL LINK LOCK ' +
  'MERGE MKACTIVITY MKCALENDAR MKCOL MKREDIRECTREF MKWORKSPACE MOVE OPTIONS ORDERPATCH ' +
  'PATCH POST PRI PROPFIND PROPPATCH PUT REBIND REPORT SEARCH TRACE UNBIND UNCHECKOUT ' +
  'UNLINK UNLOCK UPDATE UPDATEREDIRECTREF VERSION-CONTROL ').trim().split(' ');
const STATUSES = (
  '100 CONTINUE,101 SWITCHING_PROTOCOLS,102 PROCESSING,103 EARLY_HINTS,200 OK,201 CREATED,' +
  '202 ACCEPTED,203 NON_AUTHORITATIVE_INFORMATION,204 NO_CONTENT,205 RESET_CONTENT,' +
  '206 PARTIAL_CONTENT,207 MULTI_STATUS,208 ALREADY_REPORTED,226 IM_USED,' +
  '300 MULTIPLE_CHOICES,301 MOVED_PERMANENTLY,302 FOUND,303 SEE_OTHER,304 NOT_MODIFIED,' +
  '305 USE_PROXY,307 TEMPORARY_REDIRECT,308 PERMANENT_REDIRECT,400 BAD_REQUEST,' +
  '401 UNAUTHORIZED,402 PAYMENT_REQUIRED,403 FORBIDDEN,404 NOT_FOUND,405 METHOD_NOT_ALLOWED,' +
  '406 NOT_ACCEPTABLE,407 PROXY_AUTHENTICATION_REQUIRED,408 REQUEST_TIMEOUT,409 CONFLICT,' +
  '410 GONE,411 LENGTH_REQUIRED,412 PRECONDITION_FAILED,413 PAYLOAD_TOO_LARGE,' +
  '414 URI_TOO_LONG,415 UNSUPPORTED_MEDIA_TYPE,416 RANGE_NOT_SATISFIABLE,' +
  '417 EXPECTATION_FAILED,418 TEAPOT,421 MISDIRECTED_REQUEST,422 UNPROCESSABLE_ENTITY,' +
  '423 LOCKED,424 FAILED_DEPENDENCY,425 TOO_EARLY,426 UPGRADE_REQUIRED,' +
  '428 PRECONDITION_REQUIRED,429 TOO_MANY_REQUESTS,431 REQUEST_HEADER_FIELDS_TOO_LARGE,' +
  '451 UNAVAILABLE_FOR_LEGAL_REASONS,500 INTERNAL_SERVER_ERROR,501 NOT_IMPLEMENTED,' +
  '502 BAD_GATEWAY,503 SERVICE_UNAVAILABLE,504 GATEWAY_TIMEOUT,' +
  '505 HTTP_VERSION_NOT_SUPPORTED,506 VARIANT_ALSO_NEGOTIATES,507 INSUFFICIENT_STORAGE,' +
  '508 LOOP_DETECTED,509 BANDWIDTH_LIMIT_EXCEEDED,510 NOT_EXTENDED,' +
  '511 NETWORK_AUTHENTICATION_REQUIRED,').split(',');

const constants = {
  NGHTTP2_ERR_FRAME_SIZE_ERROR: -522,
  NGHTTP2_SESSION_SERVER: 0,
  NGHTTP2_SESSION_CLIENT: 1,
};

function count(prefix, first, names) {
  names.split(' ').forEach((name, index) => { constants[prefix + name] = first + index; });
}

count('NGHTTP2_STREAM_STATE_', 1, 'IDLE OPEN RESERVED_LOCAL RESERVED_REMOTE HALF_CLOSED_LOCAL ' +
  'HALF_CLOSED_REMOTE CLOSED');
Object.assign(constants, {
  NGHTTP2_FLAG_NONE: 0, NGHTTP2_FLAG_END_STREAM: 1, NGHTTP2_FLAG_END_HEADERS: 4,
  NGHTTP2_FLAG_ACK: 1, NGHTTP2_FLAG_PADDED: 8, NGHTTP2_FLAG_PRIORITY: 32,
  DEFAULT_SETTINGS_HEADER_TABLE_SIZE: 4096, DEFAULT_SETTINGS_ENABLE_PUSH: 1,
  DEFAULT_SETTINGS_MAX_CONCURRENT_STREAMS: 4294967295,
  DEFAULT_SETTINGS_INITIAL_WINDOW_SIZE: 65535, DEFAULT_SETTINGS_MAX_FRAME_SIZE: 16384,
  DEFAULT_SETTINGS_MAX_HEADER_LIST_SIZE: 65535, DEFAULT_SETTINGS_ENABLE_CONNECT_PROTOCOL: 0,
  MAX_MAX_FRAME_SIZE: 16777215, MIN_MAX_FRAME_SIZE: 16384, MAX_INITIAL_WINDOW_SIZE: 2147483647,
});
count('NGHTTP2_SETTINGS_', 1, 'HEADER_TABLE_SIZE ENABLE_PUSH MAX_CONCURRENT_STREAMS ' +
  'INITIAL_WINDOW_SIZE MAX_FRAME_SIZE MAX_HEADER_LIST_SIZE');
constants.NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL = 8;
count('PADDING_STRATEGY_', 0, 'NONE ALIGNED MAX');
constants.PADDING_STRATEGY_CALLBACK = 1;
count('NGHTTP2_', 0, 'NO_ERROR PROTOCOL_ERROR INTERNAL_ERROR FLOW_CONTROL_ERROR SETTINGS_TIMEOUT ' +
  'STREAM_CLOSED FRAME_SIZE_ERROR REFUSED_STREAM CANCEL COMPRESSION_ERROR CONNECT_ERROR ' +
  'ENHANCE_YOUR_CALM INADEQUATE_SECURITY HTTP_1_1_REQUIRED');
constants.NGHTTP2_DEFAULT_WEIGHT = 16;
const keyOf = (name) => name.replace(/^:/, '').replaceAll('-', '_').toUpperCase();
for (const name of HEADERS) constants[`HTTP2_HEADER_${keyOf(name)}`] = name;
for (const name of METHODS) constants[`HTTP2_METHOD_${keyOf(name)}`] = name;
for (const entry of STATUSES.filter(Boolean)) {
  const [status, name] = entry.split(' ');
  constants[`HTTP_STATUS_${name}`] = Number(status);
}

// "NGHTTP2_CANCEL" of 8
const codeNames = [];
for (const name of Object.keys(constants)) {
  if (/^NGHTTP2_[A-Z_0-9]+$/.test(name) && !/_(FLAG|STATE|SETTINGS|SESSION|DEFAULT|ERR)_/
    .test(name) && constants[name] >= codeNames.length) codeNames[constants[name]] = name;
}
codeNames.length = 14;
codeNames[4] = 'NGHTTP2_SETTINGS_TIMEOUT';

module.exports = { constants, nameOf: (code) => codeNames[code] };
