await 1;
export const t = 1;
