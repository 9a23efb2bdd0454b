export const isEmail = (text: string) => /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]{2,}$/.test(text.trim());
