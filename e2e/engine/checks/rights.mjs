export const rightsChecks = async () => {};
