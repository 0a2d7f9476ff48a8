export const z=1; export { z as "module.exports" };
