'use strict';
const net = require('net');
const socket = net.connect({ port: 1, host: '127.0.0.1' });
socket.on('error', (error) => console.log('error', error.code, error.syscall, error.address));
socket.on('close', (hadError) => console.log('close', hadError));
socket.on('end', () => console.log('never'));
