import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { limits } from '@/api/generated/limits';
import { provinceNames } from '@/shared/checks/province';
import { PhoneField } from '@/shared/forms/PhoneField';
import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Segmented } from '@/shared/ui/Segmented';
import { insurers } from '../api';
import { type RequestFormState, useRequestForm } from '../hooks/use-request-form';
import { CallbackModal } from './CallbackModal';
import { CustomerChoice } from './CustomerChoice';
import classes from './RequestForm.module.css';

/**
 * Whom to call and about what: insurer, one of its customers, region, case, type, phone. `before` stands above the
 * fields.
 */
export function RequestForm({ before }: { before?: ReactNode }) {
  const t = useT();
  const state = useRequestForm();
  const [later, setLater] = useState(false);
  const { form, values, customers, failure, submit, sending } = state;
  const wrong = Object.keys(form.errors).length;
  const customer = customers.data?.find((one) => one._id === values.customerId);
  const askLater = () => {
    if (form.check()) setLater(true);
    else form.focusFirstError();
  };
  return (
    <form
      className={classes.root}
      ref={form.ref}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className={classes.fields}>
        <div className={classes.head}>
          <div>
            <h1>{t('videocallrequests.title')}</h1>
            <p>{t('videocallrequests.subtitle')}</p>
          </div>
          <Segmented
            label={t('videocallrequests.type')}
            value={String(values.type) as '1' | '2'}
            onChange={(type) => form.set({ type: type === '1' ? 1 : 2 })}
            options={[
              { value: '1', label: t('videocall.type1'), icon: 'car' },
              { value: '2', label: t('videocall.type2'), icon: 'home' },
            ]}
          />
        </div>
        {before}
        {failure && (
          <Note
            tone={failure.blocked ? 'warn' : 'bad'}
            icon={failure.blocked ? 'lock' : 'warn'}
            title={failure.title}
            text={failure.text}
          />
        )}
        <Whom {...state} />
        <Case {...state} />
      </div>
      <div className={classes.bar} data-foot>
        <span className={classes.hint} data-wrong={wrong > 0 || undefined}>
          {wrong > 0 ? t('videocallrequests.fix', { count: wrong }) : t('videocallrequests.barHint')}
        </span>
        <Button
          variant="default"
          size="md"
          className={classes.later}
          leftSection={<Icon name="clock" />}
          onClick={askLater}
        >
          {t('videocallrequests.askLater')}
        </Button>
        <Button type="submit" size="md" loading={sending} leftSection={<Icon name="ring" />}>
          {t('videocallrequests.ask')}
        </Button>
      </div>
      <CallbackModal
        opened={later}
        customer={customer?.company ?? null}
        onClose={() => setLater(false)}
        onChosen={(at) => {
          setLater(false);
          submit(at);
        }}
      />
    </form>
  );
}

const down = {
  rightSection: <Icon name="down" size={16} />,
  rightSectionPointerEvents: 'none',
  openOnFocus: false,
} as const;

function Whom({ form, values, customers }: RequestFormState) {
  const t = useT();
  const companies = useQuery(insurers());
  const insurer = form.field('insuranceCompanyId');
  const region = form.field('region');
  const names =
    values.region && !provinceNames.includes(values.region) ? [values.region, ...provinceNames] : provinceNames;
  return (
    <>
      <div className={classes.grid}>
        <Select
          label={t('videocallrequests.insurer')}
          placeholder={t('videocallrequests.insurerPlaceholder')}
          data={(companies.data ?? []).map(({ _id, name }) => ({ value: _id, label: name }))}
          searchable
          allowDeselect={false}
          selectFirstOptionOnChange
          nothingFoundMessage={
            companies.isError ? t('videocallrequests.loadFailed') : t('videocallrequests.insurerNone')
          }
          autoComplete="off"
          {...down}
          {...insurer}
          value={values.insuranceCompanyId || null}
          onChange={(id) => {
            if (!id || id === values.insuranceCompanyId) return;
            form.set({ insuranceCompanyId: id, customerId: '' });
            form.form.clearFieldError('insuranceCompanyId');
          }}
        />
        <Select
          label={t('videocallrequests.regionLabel')}
          placeholder={t('videocallrequests.regionPlaceholder')}
          data={names}
          searchable
          allowDeselect={false}
          selectFirstOptionOnChange
          nothingFoundMessage={t('videocallrequests.regionNone')}
          autoComplete="off"
          {...down}
          {...region}
          value={values.region || null}
          onChange={(value) => region.onChange(value ?? '')}
        />
      </div>
      <CustomerChoice
        insurer={values.insuranceCompanyId}
        region={values.region}
        customers={customers}
        value={values.customerId}
        error={form.errors.customerId}
        onChange={(chosen) => {
          // Nobody has said where the car is: near the firm, most often.
          const near = values.region ? {} : { region: provinceNames.find((name) => name === chosen.region) ?? '' };
          form.set({ customerId: chosen._id, ...near });
          form.form.clearFieldError('customerId');
          if (near.region) form.form.clearFieldError('region');
        }}
      />
    </>
  );
}

function Case({ form, values }: RequestFormState) {
  const t = useT();
  const phone = form.field('phone');
  return (
    <div className={classes.grid}>
      <TextInput
        autoComplete="off"
        label={t('videocall.expedient')}
        classNames={{ input: 'num' }}
        maxLength={limits.expedientMax * 2}
        enterKeyHint="send"
        {...form.field('expedient')}
      />
      {values.type === 1 && (
        <TextInput
          autoComplete="off"
          autoCapitalize="characters"
          label={
            <>
              {t('videocall.plate')} <span className={classes.optional}>{t('common.optional')}</span>
            </>
          }
          classNames={{ input: 'num' }}
          {...form.field('plate')}
        />
      )}
      <PhoneField
        label={
          <>
            {t('videocallrequests.phone')} <span className={classes.optional}>{t('common.optional')}</span>
          </>
        }
        description={t('videocallrequests.phoneHelp')}
        country={values.country}
        onCountry={(country) => form.set({ country })}
        phone={values.phone}
        onPhone={(value) => {
          form.set({ phone: value });
          form.form.clearFieldError('phone');
        }}
        onBlur={phone.onBlur}
        error={phone.error}
      />
    </div>
  );
}
