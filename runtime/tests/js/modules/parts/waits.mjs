export const value = await new Promise((f) => setTimeout(f, 5, "waited for"));
