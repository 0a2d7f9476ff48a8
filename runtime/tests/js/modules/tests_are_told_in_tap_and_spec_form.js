// The runner's two forms, for tests that pass and tests that fail, without times and stacks.
const { spawnSync } = require('child_process');
for (const file of ['tests.js', 'failing_tests.js']) {
    for (const reporter of ['tap', 'spec']) {
        const { status, stdout } = spawnSync(
            process.execPath,
            [`--test-reporter=${reporter}`, `${__dirname}/parts/${file}`],
            { encoding: 'utf8' },
        );
        console.log(file, reporter, status);
        console.log(
            stdout
                .replace(/duration_ms:? [\d.]+/g, 'duration_ms N')
                .replace(/\([\d.]+ms\)/g, '(Nms)')
                .replaceAll(`${require('path').relative(process.cwd(), __dirname)}/`, 'DIR/')
                .replaceAll(__dirname, 'DIR')
                .replace(/(:\d+):\d+\b/g, '$1:C')
                .replace(/at .*parts\//, 'at ')
                .replace(/((?:^ +at .*| +stack: \|-(?:\n +.*\(.*\)| +node:.*)*)\n)+/gm, '')
                .replace(/^ +(?:at |async |node:|new |DIR|\S+ \((?:node:|DIR|<anon)).*\n/gm, ''),
        );
    }
}
