import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { User } from '@/api/types';
import { errorText, useT } from '@/shared/i18n';
import { confirm } from '@/shared/ui/dialogs';
import { toast } from '@/shared/ui/toast';
import { resetSecondFactor, saveUser, USERS_KEY } from './api';
import { fullName } from './model';

const INACTIVE = 1;
const ACTIVE = 2;

/** Deactivating, activating and resetting the second factor of an account, each asked before and told after. */
export function useUserActions() {
  const t = useT();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: ({ run }: { run: () => Promise<unknown>; done: string }) => run(),
    onSuccess: async (_answer, { done }) => {
      toast.ok({ title: done });
      await Promise.all([
        queries.invalidateQueries({ queryKey: [USERS_KEY] }),
        queries.invalidateQueries({ queryKey: ['get_user'] }),
      ]);
    },
    onError: (error) => toast.error({ title: t('users.actionFailed'), text: errorText(t, error) }),
  });
  const setStatus = (user: User, status: number, done: string) =>
    change.mutateAsync({ run: () => saveUser({ _id: user._id, status }), done }).then(
      () => true,
      () => false,
    );

  const deactivate = async (user: User) => {
    const sure = await confirm({
      title: t('users.deactivateAsk', { name: fullName(user) }),
      text: t('users.deactivateText'),
      confirm: t('users.deactivate'),
      danger: true,
    });
    return sure && setStatus(user, INACTIVE, t('users.deactivated'));
  };
  const activate = (user: User) => setStatus(user, ACTIVE, t('users.activated'));
  const reset2fa = async (user: User) => {
    const sure = await confirm({
      title: t('users.reset2faAsk', { name: fullName(user) }),
      text: t('users.reset2faText'),
      confirm: t('users.reset2fa'),
      danger: true,
    });
    if (sure) change.mutate({ run: () => resetSecondFactor(user._id), done: t('users.reset2faDone') });
  };
  return { deactivate, activate, reset2fa, busy: change.isPending };
}
