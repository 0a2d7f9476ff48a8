'use strict';
for (const zone of ['America/New_York', 'Asia/Tokyo', 'UTC']) {
  process.env.TZ = zone;
  const date = new Date(0);
  console.log(date.toString(), date.getHours(), date.getTimezoneOffset());
  console.log(Intl.DateTimeFormat().resolvedOptions().timeZone, date.toLocaleTimeString('en-US'));
}
