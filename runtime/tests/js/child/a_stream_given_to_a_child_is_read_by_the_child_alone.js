// All bytes that the first child writes arrive at the second, even if that starts late.
const { spawn } = require('child_process');
const first = spawn('sh', ['-c', 'head -c 60000 /dev/zero | tr "\\0" x']);
const second = spawn('sh', ['-c', 'sleep 0.2; wc -c'],
  { stdio: [first.stdout, 'pipe', 'inherit'] });
second.stdout.on('data', (data) => console.log(String(data).trim()));
second.on('close', (code) => console.log('close', code));
