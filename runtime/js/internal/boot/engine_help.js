'use strict';
// What --v8-options says, in V8's form: tools read the names of switches from it. These have an
// effect here.
module.exports = `The following syntax for options is accepted (both '-' and '--' are ok):
  --flag        (bool flags only)
  --no-flag     (bool flags only)
  --flag=value  (non-bool flags only, no spaces around value)

Options:
  --expose-gc (expose gc extension)
        type: bool  default: --no-expose-gc
  --max-old-space-size (max size of the old space (in Mbytes))
        type: size_t  default: --max-old-space-size=0
  --stack-size (default size of stack region v8 is allowed to use (in kBytes))
        type: int  default: --stack-size=984
  --stack-trace-limit (number of stack frames to capture)
        type: int  default: --stack-trace-limit=10
`;
