import { i18n, type T } from '@/shared/i18n';

/** Labels of the menu are keys that the server sends; one that the bundle lacks is shown as the server sent it. */
export const menuLabel = (t: T, key: string) => (i18n.exists(key) ? (t as (key: string) => string)(key) : key);

/** The role's title. */
export const roleTitle = (t: T, role: number) => menuLabel(t, `roles.${role}`);
