'use strict';
// v8.startupSnapshot where no snapshot is ever built: the engine cannot write its heap down.
// Programs that ask whether one is being built go on; the others are told.

function refuse() {
  throw require('internal/errors/errors').withCode(Error, 'ERR_NOT_BUILDING_SNAPSHOT',
    'Operation cannot be invoked when not building startup snapshot: they are not supported',
    refuse);
}

module.exports = {
  addDeserializeCallback() { refuse(); },
  addSerializeCallback() { refuse(); },
  setDeserializeMainFunction() { refuse(); },
  isBuildingSnapshot: () => false,
};
