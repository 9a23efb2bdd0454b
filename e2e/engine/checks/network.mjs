export const networkChecks = async () => {};
