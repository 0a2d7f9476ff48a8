'use strict';
const fs = require('fs');
const path = require('path');
const show = ({ code, syscall, path: name, message }) =>
    [code, syscall, path.relative('.', name), message.replaceAll(path.resolve(), 'HERE')].join();

fs.mkdirSync('folder');
for (const name of ['folder/none/deeper', 'none', 'folder/../none']) {
    for (const realpath of [fs.realpathSync, fs.realpathSync.native]) {
        try {
            realpath(name);
        } catch (error) {
            console.log(name, show(error));
        }
    }
}
fs.realpath('folder/none/deeper', (error) => {
    console.log(show(error));
    fs.opendir('none', (failure) => console.log(show(failure)));
});
try {
    fs.readlinkSync(5);
} catch (error) {
    console.log(error.message);
}
