export const firefoxChecks = async () => {};
