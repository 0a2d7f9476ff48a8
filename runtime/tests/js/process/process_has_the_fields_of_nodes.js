const show = (...values) => console.log(...values);
show(
    process.argv.length,
    process.execArgv,
    process.title.length > 0,
    process.platform,
    process.arch,
    typeof process.pid,
    process.ppid > 0,
);
show(
    /^v20\./.test(process.version),
    typeof process.versions.uv,
    process.release.name,
    typeof process.config,
    process.exitCode,
);
show(
    process.cwd() === require('fs').realpathSync('.'),
    typeof process.uptime(),
    process.hrtime().length,
    typeof process.hrtime.bigint(),
    process.hrtime([0, 0]).length,
);
show(
    Object.keys(process.memoryUsage()),
    typeof process.memoryUsage.rss(),
    Object.keys(process.cpuUsage()),
    Object.keys(process.resourceUsage()).length,
);
show(
    process.umask() === process.umask(0o22),
    process.getuid() === process.geteuid(),
    typeof process.getgid(),
    Array.isArray(process.getgroups()),
);
process.env.NEW = 5;
process.env.GONE = 'x';
delete process.env.GONE;
show(
    process.env.NEW,
    process.env.GONE,
    'NEW' in process.env,
    Object.keys(process.env).includes('NEW'),
    process.env.undefinedName,
);
process.chdir('/');
show(process.cwd());
for (const bad of [
    () => process.chdir('/no/such'),
    () => process.chdir(5),
    () => process.kill('x'),
    () => process.kill(process.pid, 'SIGNO'),
    () => process.exit('x'),
    () => {
        process.exitCode = {};
    },
    () => process.hrtime(5),
    () => process.nextTick(5),
    () => process.emitWarning(5),
    () => process.setUncaughtExceptionCaptureCallback(5),
    () => process.kill(99999999, 0),
    () => process.umask('9'),
]) {
    try {
        show('fine', bad());
    } catch (error) {
        show(error.name, error.code, error.message);
    }
}
show(
    process.kill(process.pid, 0),
    process.stdout.writable,
    process.stderr.fd,
    process.stdin.fd,
    process.stdout.isTTY,
    process.stdout._type !== undefined,
);
show(
    typeof process.emit,
    process instanceof require('events'),
    Object.prototype.toString.call(process),
    process.listenerCount('exit'),
    process.hasUncaughtExceptionCaptureCallback(),
);
process.on('warning', warning => show(warning.name, warning.message, warning.code, warning.detail));
process.emitWarning('text', { type: 'Custom', code: 'C1', detail: 'more' });
process.emitWarning(new Error('an error'));
process.emitWarning('old', 'DeprecationWarning', 'DEP1');
show(
    process.allowedNodeEnvironmentFlags instanceof Set,
    process.features.uv,
    process.argv0.length > 0,
    process.execPath.length > 0,
);
show(
    typeof process.getActiveResourcesInfo(),
    process.constrainedMemory() >= 0,
    typeof process.availableMemory,
);
process.exitCode = 3;
process.on('exit', code => show('exit', code, process.exitCode));
