export const moderationChecks = async () => {};
