import { useBlocker } from '@tanstack/react-router';
import { t } from '@/shared/i18n';
import { session } from '@/shared/session';
import { confirm } from '@/shared/ui/dialogs';

/**
 * Asks before typed changes are left behind: by a link, by the way back, by closing the tab. The end of the session goes
 * through: there is nobody left to save for. A change of the search parameters alone is not a way out.
 */
export function useUnsaved(dirty: boolean): void {
  useBlocker({
    shouldBlockFn: async ({ current, next }) => {
      if (!dirty || !session.peek() || current.pathname === next.pathname) return false;
      const leave = await confirm({
        title: t('common.unsavedTitle'),
        text: t('common.unsavedText'),
        confirm: t('common.unsavedLeave'),
        cancel: t('common.unsavedStay'),
        danger: true,
      });
      return !leave;
    },
    enableBeforeUnload: () => dirty && session.peek() !== null,
    disabled: !dirty,
  });
}
