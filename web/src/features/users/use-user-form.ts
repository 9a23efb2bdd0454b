import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { ApiError } from '@/api/errors';
import { limits } from '@/api/generated/limits';
import type { User } from '@/api/types';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, loadLanguage, type T, useT } from '@/shared/i18n';
import { useRequiredSession } from '@/shared/session';
import { refreshAccount } from '@/shared/session/refresh-account';
import { toast } from '@/shared/ui/toast';
import { type ListedUser, saveUser, USERS_KEY } from './api';
import { type Rights, rightsOver, type UserValues, userChange, userNameText, userProblems, userValues } from './model';

function problemTexts(t: T, values: UserValues, user: User): Partial<Record<string, string>> {
  const texts: Record<string, string> = {
    TOO_LONG: t('companies.tooLong', { max: limits.lineMax }),
    EMAIL_INVALID: t('companies.emailInvalid'),
    PHONE_REQUIRED: t('companies.phoneRequired'),
    PHONE_INCORRECT: t('companies.phoneIncorrect'),
    PHONE_TOO_LONG: t('companies.phoneTooLong'),
  };
  const missing: Record<string, string> = {
    name: t('common.write_name'),
    surname: t('common.write_surname'),
    email: t('common.write_email'),
  };
  const found = Object.entries(userProblems(values, user));
  return Object.fromEntries(
    found.map(([name, code]) => [name, code === 'REQUIRED' ? missing[name] : texts[code ?? '']]),
  );
}

/** The form of one user: values, errors of both sides, what may be set, saving. */
export function useUserForm(user: User | ListedUser, onSaved?: (user: User) => void) {
  const t = useT();
  const queries = useQueryClient();
  const person = useRequiredSession();
  const rights: Rights = rightsOver(person, user);
  const own = person.user._id === user._id;
  const form = useCheckedForm<UserValues>({
    initialValues: userValues(user),
    problems: (values) => problemTexts(t, values, user),
  });
  const saving = useMutation({
    mutationFn: () => saveUser(userChange(user, form.values, rights)),
    onSuccess: async ({ user: saved, pendingUserName }) => {
      queries.setQueryData(['get_user', user._id], saved);
      await queries.invalidateQueries({ queryKey: [USERS_KEY] });
      const pending = pendingUserName && { old: userNameText(user.userName), new: userNameText(pendingUserName) };
      if (pending) toast.info({ title: t('users.namePending'), text: t('users.namePendingText', pending) });
      else toast.ok({ title: t('users.saved') });
      if (own) await refreshAccount();
      if (own && saved.language !== user.language) await loadLanguage(saved.language).catch(() => {});
      onSaved?.(saved);
    },
    onError: (error) => {
      const wrongFields = error instanceof ApiError && error.errors.length > 0;
      if (wrongFields && form.refuse(error).length === 0) form.focusFirstError();
      else toast.error({ title: t('users.saveFailed'), text: errorText(t, error) });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.check()) saving.mutate();
    else form.focusFirstError();
  };
  return { ...form, rights, own, submit, saving: saving.isPending };
}

export type UserForm = ReturnType<typeof useUserForm>;
