'use strict';
async function buffer(stream) {
  const chunks = [];
  for await (const chunk of stream)
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}
const text = async (stream) => (await buffer(stream)).toString();
module.exports = {
  buffer,
  text,
  json: async (stream) => JSON.parse(await text(stream)),
  arrayBuffer: async (stream) => {
    const bytes = await buffer(stream);
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  },
};
