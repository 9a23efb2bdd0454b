export const reconnectChecks = async () => {};
