exports.named = 1;
exports.other = function other() {};
module.exports.third = module.id.endsWith('library.cjs');
