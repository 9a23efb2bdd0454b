export const garbageChecks = async () => {};
