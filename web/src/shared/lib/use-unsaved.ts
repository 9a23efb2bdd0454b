import { useBlocker } from '@tanstack/react-router';
import { t } from '@/shared/i18n';
import { session } from '@/shared/session';
import { confirm } from '@/shared/ui/dialogs';

/** Whether typed changes may be lost. */
export const confirmLeaving = (): Promise<boolean> =>
  confirm({
    title: t('common.unsavedTitle'),
    text: t('common.unsavedText'),
    confirm: t('common.unsavedLeave'),
    cancel: t('common.unsavedStay'),
    danger: true,
  });

/**
 * Asks before typed changes are left behind: by a link, by the way back, by closing the tab. The end of the session goes
 * through: there is nobody left to save for. A change of the search parameters alone is not a way out.
 */
export function useUnsaved(dirty: boolean): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!dirty || !session.peek() || current.pathname === next.pathname) return false;
      return !(await confirmLeaving());
    },
    enableBeforeUnload: () => dirty && session.peek() !== null,
    disabled: !dirty,
  });
}
