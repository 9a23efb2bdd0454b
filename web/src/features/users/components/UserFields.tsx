import { Checkbox, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { User } from '@/api/types';
import { PhoneField } from '@/shared/forms/PhoneField';
import { useT } from '@/shared/i18n';
import { availableLanguages } from '@/shared/language/api';
import { roleTitle } from '@/shared/routes/labels';
import { Icon } from '@/shared/ui/Icon';
import { StatusTag, statusOptions } from '@/shared/ui/StatusTag';
import { userNameText } from '../model';
import type { UserForm } from '../use-user-form';
import classes from './UserFields.module.css';

/** The fields of a user; role, status and the support flag where the caller may set them, else as they are. */
export function UserFields({ user, form }: { user: User; form: UserForm }) {
  const t = useT();
  const { data: languages = [] } = useQuery(availableLanguages());
  const { values, errors, field, set, rights } = form;
  // The status somebody has is shown even when it is not one of those offered.
  const statuses = rights.statuses.includes(user.status) ? rights.statuses : [user.status, ...rights.statuses];
  const roles = rights.roles.includes(user.role) ? rights.roles : [user.role, ...rights.roles];
  return (
    <div className={classes.grid}>
      <TextInput label={t('users.name')} autoComplete="off" {...field('name')} />
      <TextInput label={t('users.surname')} autoComplete="off" {...field('surname')} />
      <TextInput
        label={user.userName.includes('@') ? t('users.email') : optional(t, t('users.email'))}
        type="email"
        autoComplete="off"
        {...field('email')}
      />
      <PhoneField
        label={user.role === 5 || user.role === 7 ? t('users.phone') : optional(t, t('users.phone'))}
        country={values.phoneCountry}
        onCountry={(phoneCountry) => set({ phoneCountry })}
        phone={values.phone}
        onPhone={(phone) => set({ phone })}
        error={errors.phone}
      />
      <Select
        label={t('users.language')}
        allowDeselect={false}
        data={languages.map(({ code, name }) => ({ value: code, label: name }))}
        {...field('language')}
      />
      {rights.roles.length > 1 ? (
        <Select
          label={t('users.role')}
          allowDeselect={false}
          data={roles.map((role) => ({ value: String(role), label: roleTitle(t, role) }))}
          {...field('role')}
        />
      ) : (
        <Fact label={t('users.role')} value={roleTitle(t, user.role)} />
      )}
      {rights.statuses.length > 0 ? (
        <Select
          label={t('users.status')}
          allowDeselect={false}
          data={statusOptions(t, statuses)}
          {...field('status')}
        />
      ) : (
        <Fact label={t('users.status')} value={<StatusTag status={user.status} />} />
      )}
      <Fact
        label={t('users.userName')}
        value={<span className="num">{userNameText(user.userName)}</span>}
        // The administrator's change of somebody else's holds at once.
        help={rights.support && !form.own ? t('users.userNameHelpAdmin') : t('users.userNameHelp')}
      />
      {rights.support && (
        <Checkbox
          className={classes.wide}
          label={t('users.supportLabel')}
          description={t('users.supportHelp')}
          checked={values.support}
          onChange={(event) => set({ support: event.currentTarget.checked })}
          icon={({ className }) => <Icon name="check" size={14} className={className} />}
        />
      )}
    </div>
  );
}

/** What is known and not to be changed here. */
function Fact({ label, value, help }: { label: string; value: ReactNode; help?: string }) {
  return (
    <div className={classes.fact}>
      <span className={classes.factLabel}>{label}</span>
      <span className={classes.factValue}>{value}</span>
      {help && <span className={classes.factHelp}>{help}</span>}
    </div>
  );
}

const optional = (t: ReturnType<typeof useT>, label: string) => (
  <>
    {label} <span className={classes.optional}>{t('common.optional')}</span>
  </>
);
