import { menuLabel, roleTitle } from '@/app/shell/labels';
import { i18n, type T } from '@/shared/i18n';
import { statusText } from '@/shared/ui/StatusTag';

/** The actions that the log knows: the keys of its texts in capitals. */
export const actions = (): string[] =>
  Object.keys(i18n.getResourceBundle(i18n.language, 'audit') ?? {}).filter((key) => /^[A-Z][A-Z_0-9]+$/.test(key));

export const actionText = (t: T, action: string): string =>
  i18n.exists(`audit.${action}`) ? menuLabel(t, `audit.${action}`) : action;

/** The label of a changed field of a user or a company; its name where there is none. */
function fieldLabel(t: T, name: string): string {
  const key = [`audit.field_${name}`, `users.${name}`, `companies.${name}`].find((label) => i18n.exists(label));
  return key ? menuLabel(t, key) : name;
}

function valueText(t: T, action: string, name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? t('common.yes') : t('common.no');
  if (Array.isArray(value)) {
    return value
      .map((part) => (name === 'fields' ? fieldLabel(t, String(part)) : valueText(t, action, '', part)))
      .join(', ');
  }
  if (typeof value === 'object' && value !== null) {
    return Object.values(value)
      .map((part) => valueText(t, action, '', part))
      .join(' ');
  }
  if (typeof value === 'number' && name === 'type') return roleTitle(t, value);
  if (name === 'method' && i18n.exists(`audit.method_${value}`)) return menuLabel(t, `audit.method_${value}`);
  return value === null || value === undefined ? '–' : String(value);
}

/** The short facts of an entry in words, such as `Estado: Activo → Inactivo`. */
export function detailText(t: T, action: string, detail: Record<string, unknown>): string {
  const { before, after, from = before, to = after, ...rest } = detail;
  const parts = Object.entries(rest).map(
    ([name, value]) => `${fieldLabel(t, name)}: ${valueText(t, action, name, value)}`,
  );
  if (from !== undefined || to !== undefined) {
    const word = (value: unknown) => {
      if (typeof value !== 'number') return valueText(t, action, '', value);
      if (value === before || value === after) return String(value);
      return action === 'ROLE_CHANGED' ? roleTitle(t, value) : statusText(t, value);
    };
    parts.unshift(`${word(from)} → ${word(to)}`);
  }
  return parts.join(' · ');
}
