import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { Icon } from '@/shared/ui/Icon';
import { PageTitle } from '@/shared/ui/PageTitle';
import { StateView } from '@/shared/ui/StateView';
import { findUsers } from '../api';
import { AccountRow } from '../components/AccountRow';
import classes from './PasswordOperatorPage.module.css';

/** The password operator's screen: an exact user name, its accounts, a reset for one of them. */
export function PasswordOperatorPage() {
  const t = useT();
  usePage({ title: t('users.passwordTitle') });
  const [userName, setUserName] = useState('');
  const [empty, setEmpty] = useState(false);
  const search = useMutation({ mutationFn: findUsers });

  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = userName.trim();
    setEmpty(wanted === '');
    if (wanted) search.mutate(wanted);
  };

  return (
    <section className={classes.root}>
      <PageTitle title={t('users.passwordTitle')} lead={t('users.passwordHint')} />
      <form className={classes.search} onSubmit={submit} noValidate>
        <TextInput
          label={t('users.passwordUserName')}
          description={t('users.passwordUserNameHelp')}
          error={empty ? t('common.write_userName') : undefined}
          value={userName}
          onChange={(event) => setUserName(event.currentTarget.value)}
          autoComplete="off"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Button type="submit" loading={search.isPending} leftSection={<Icon name="search" size={16} />}>
          {t('common.search')}
        </Button>
      </form>
      <div aria-live="polite">
        {search.error && (
          <StateView
            icon="warn"
            tone="bad"
            title={t('users.passwordSearchFailed')}
            text={errorText(t, search.error)}
            action={{
              label: t('common.retry'),
              icon: 'refresh',
              run: () => search.mutate(search.variables ?? userName.trim()),
            }}
          />
        )}
        {search.data?.length === 0 && (
          <StateView icon="search" title={t('users.passwordNone')} text={t('users.passwordNoneText')} />
        )}
        {search.data && search.data.length > 0 && (
          <>
            <h2 className={classes.found}>{t('users.passwordFound', { count: search.data.length })}</h2>
            <ul className={classes.list}>
              {search.data.map((user) => (
                <AccountRow key={user._id} user={user} />
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
}
