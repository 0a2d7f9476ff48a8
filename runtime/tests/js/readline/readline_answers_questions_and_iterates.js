const readline = require('readline');
const { PassThrough, Readable } = require('stream');
(async () => {
    const input = new PassThrough();
    const output = new PassThrough();
    let shown = '';
    output.on('data', data => {
        shown += data;
    });
    const rl = readline.createInterface({ input, output, prompt: 'p> ' });
    rl.on('pause', () => console.log('pause'))
        .on('resume', () => console.log('resume'))
        .on('close', () => console.log('close'));
    rl.question('one? ', answer => console.log('answer', answer));
    input.write('first\n');
    rl.on('line', line => console.log('line', JSON.stringify(line)));
    input.write('sec');
    input.write('ond\r\nthird\n\nfourth');
    rl.prompt();
    rl.setPrompt('q> ');
    console.log(rl.getPrompt(), rl.terminal, rl.line);
    rl.write('written\n');
    await new Promise(f => setImmediate(f));
    rl.pause();
    rl.resume();
    input.end();
    await new Promise(f => rl.on('close', f));
    console.log(JSON.stringify(shown));
    try {
        rl.question('late?', () => {});
    } catch (error) {
        console.log(error.code);
    }
    const lines = [];
    for await (const line of readline.createInterface({
        input: Readable.from(['a\nb', 'c\r', '\nd\u2028e\n', 'f']),
    }))
        lines.push(line);
    console.log(lines);
    const reader = require('readline/promises').createInterface({
        input: Readable.from(['yes\n', 'no\n']),
        output: new PassThrough(),
    });
    console.log(await reader.question('well? '));
    reader.close();
    const early = readline.createInterface({ input: Readable.from(['1\n2\n3\n']) });
    for await (const line of early) {
        console.log('got', line);
        break;
    }
    const crlf = readline.createInterface({
        input: new PassThrough().end('x\ry\r\nz'),
        crlfDelay: Infinity,
    });
    crlf.on('line', line => console.log('crlf', line));
    await new Promise(f => crlf.on('close', f));
    const screen = new PassThrough();
    readline.cursorTo(screen, 3, 4);
    readline.cursorTo(screen, 5);
    readline.moveCursor(screen, -1, 2);
    readline.clearLine(screen, 0);
    readline.clearLine(screen, -1);
    readline.clearScreenDown(screen);
    console.log(JSON.stringify(String(screen.read())));
})();
