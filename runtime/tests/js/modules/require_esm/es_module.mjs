export const __esModule = false; export default 3
