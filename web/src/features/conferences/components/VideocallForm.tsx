import { Button, TextInput } from '@mantine/core';
import type { User } from '@/api/types';
import { PhoneField } from '@/shared/forms/PhoneField';
import { type T, useT } from '@/shared/i18n';
import { Role } from '@/shared/routes/access';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Segmented } from '@/shared/ui/Segmented';
import { missingOf, provinceFor } from '../known-case';
import type { useVideocallForm } from '../use-videocall-form';
import type { VideocallValues } from '../videocall-form';
import { ChannelFields } from './ChannelFields';
import { KnownCase } from './KnownCase';
import classes from './VideocallForm.module.css';

const UNPAID = 5;

type FormState = ReturnType<typeof useVideocallForm>;

/** The fields of a new conference. */
export function VideocallForm(state: FormState) {
  const { form, submit, errors, failure, fromLink, sending } = state;
  const t = useT();
  const { values } = form;
  const { user } = useRequiredSession();
  const barred = user.company?.mayCall === false ? barredText(t, user) : null;
  const wrong = Object.keys(errors).length;
  return (
    <form id="videocall-form" className={classes.root} onSubmit={submit} noValidate>
      <div className={classes.fields}>
        <div className={classes.head}>
          <div>
            <h1>{t('videocall.formTitle')}</h1>
            <p>{t('videocall.subtitle')}</p>
          </div>
          <Segmented
            label={t('videocall.type')}
            value={String(values.type) as '1' | '2'}
            onChange={(type) => form.setFieldValue('type', type === '1' ? 1 : 2)}
            options={[
              { value: '1', label: t('videocall.type1'), icon: 'car' },
              { value: '2', label: t('videocall.type2'), icon: 'home' },
            ]}
          />
        </div>
        {fromLink && <Note icon="link" title={t('videocall.linked')} text={t('videocall.linkedText')} />}
        {fromLink?.unknownType && (
          <Note tone="warn" icon="warn" text={t('videocall.linkedType', { type: fromLink.unknownType })} />
        )}
        {barred && !failure && <Note tone="warn" icon="lock" title={t('videocall.notAllowed')} text={barred} />}
        {failure && (
          <Note
            tone={failure.blocked ? 'warn' : 'bad'}
            icon={failure.blocked ? 'lock' : 'warn'}
            title={failure.blocked ? t('videocall.notAllowed') : failure.title}
            text={failure.text}
          />
        )}
        <CaseFields {...state} />
        <ChannelFields {...state} />
      </div>
      <div className={classes.bar} data-foot>
        <span className={classes.expiry} data-wrong={wrong > 0 || undefined}>
          {wrong > 0 ? t('videocall.fix', { count: wrong }) : t('videocall.expiry')}
        </span>
        <Button
          type="submit"
          size="md"
          loading={sending}
          leftSection={<Icon name={values.channel === 'none' ? 'qr' : 'send'} />}
        >
          {sendLabel(t, values.channel)}
        </Button>
      </div>
    </form>
  );
}

function sendLabel(t: T, channel: VideocallValues['channel']): string {
  if (channel === 'none') return t('videocall.openNow');
  return channel === 'sms' ? t('videocall.sendSms') : t('videocall.sendEmail');
}

/** The reason that holds, and whose turn it is: the customer's own, or its administrator's. */
function barredText(t: T, { company, role }: User): string {
  if (company?.legal && company.hasIban) {
    return company.status === UNPAID
      ? t('errors.video_call_not_allowed_unpaid')
      : t('errors.video_call_not_allowed_inactive');
  }
  return role === Role.worker ? t('errors.video_call_not_allowed_worker') : t('errors.video_call_not_allowed_customer');
}

function CaseFields({ form, field, wantedCase }: FormState) {
  const t = useT();
  const optional = (label: string) => (
    <>
      {label} <span className={classes.optional}>{t('common.optional')}</span>
    </>
  );
  const phone = field('phone');
  const postalCode = field('postalCode');
  return (
    <div className={classes.grid}>
      <TextInput
        autoComplete="off"
        label={t('videocall.expedient')}
        classNames={{ input: 'num' }}
        data-autofocus
        {...field('expedientNumber')}
      />
      <TextInput autoComplete="off" label={optional(t('videocall.contact'))} {...field('contactPerson')} />
      <KnownCase
        expedientNumber={form.values.expedientNumber}
        wanted={wantedCase}
        takes={(known) => Object.keys(missingOf(known, form.values)).length > 0}
        onTake={(known) => form.setValues(missingOf(known, form.values))}
      />
      <PhoneField
        label={t('videocall.phone')}
        country={form.values.country}
        onCountry={(country) => form.setFieldValue('country', country)}
        phone={form.values.phone}
        onPhone={(value) => form.setFieldValue('phone', value)}
        onBlur={phone.onBlur}
        error={phone.error}
      />
      {form.values.type === 1 ? (
        <TextInput
          autoComplete="off"
          label={optional(t('videocall.plate'))}
          classNames={{ input: 'num' }}
          {...field('carId')}
        />
      ) : (
        <span className={classes.gap} />
      )}
      <TextInput
        autoComplete="off"
        className={classes.full}
        label={optional(t('videocall.address'))}
        description={t('videocall.addressHelp')}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        {...field('address')}
      />
      <div className={classes.place}>
        <TextInput
          autoComplete="off"
          label={optional(t('videocall.postalCode'))}
          classNames={{ input: 'num' }}
          inputMode="numeric"
          maxLength={5}
          {...postalCode}
          onBlur={(event) => {
            postalCode.onBlur?.(event);
            const province = provinceFor(form.values.postalCode, form.values.cityRegion);
            if (province) form.setFieldValue('cityRegion', province);
          }}
        />
        <TextInput autoComplete="off" label={optional(t('videocall.city'))} {...field('city')} />
        <TextInput autoComplete="off" label={optional(t('videocall.cityRegion'))} {...field('cityRegion')} />
      </div>
    </div>
  );
}
