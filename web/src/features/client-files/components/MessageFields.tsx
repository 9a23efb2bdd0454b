import { Textarea, TextInput } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { smsSize } from '@/shared/lib/sms';
import { Segmented } from '@/shared/ui/Segmented';
import type { RequestForm } from '../hooks/use-request-form';
import { lengthOf, MAX, type Problems, type RequestValues } from '../model';
import classes from './RequestFiles.module.css';

/** As long as the real one (ten characters); the server makes the code. */
export const sampleLink = () => `${window.location.origin}/f/k7Pm3xQa2Z`;

const ORDER: ('label' | 'input' | 'error' | 'description')[] = ['label', 'input', 'error', 'description'];

function Counter({ n, max, sms }: { n: number; max: number; sms?: number }) {
  const t = useT();
  return (
    <span className={`${classes.counter} num`} data-over={n > max || undefined}>
      {sms === undefined ? t('clientfiles.counter', { n, max }) : t('clientfiles.smsCounter', { n, max, count: sms })}
    </span>
  );
}

/** Channel, recipient, words of the message, and the first time what the client's page says. */
export function MessageFields({ form }: { form: RequestForm }) {
  const t = useT();
  const { values, errors, set, leave, requested } = form;
  const sms = values.channel === 'sms';
  const field = (name: keyof Problems & keyof RequestValues) => ({
    name,
    value: values[name] as string,
    error: errors[name],
    onBlur: () => leave(name),
    inputWrapperOrder: ORDER,
    descriptionProps: { component: 'div' as const },
  });
  const size = smsSize(`${values.smsText.trim()} ${sampleLink()}`);
  return (
    <>
      <div className={classes.two}>
        <div className={classes.channel}>
          <span className={classes.label}>{t('clientfiles.channel')}</span>
          <Segmented
            label={t('clientfiles.channel')}
            value={values.channel}
            onChange={(channel) => set({ channel })}
            options={[
              { value: 'sms', label: t('clientfiles.sms'), icon: 'sms' },
              { value: 'email', label: t('clientfiles.email'), icon: 'mail' },
            ]}
          />
        </div>
        {sms ? (
          <TextInput
            key="phone"
            label={t('clientfiles.to')}
            placeholder={t('clientfiles.toPhoneHelp')}
            type="tel"
            inputMode="tel"
            autoComplete="off"
            maxLength={MAX.phoneInput}
            {...field('phone')}
            onChange={(event) => set({ phone: event.currentTarget.value })}
          />
        ) : (
          <TextInput
            key="email"
            label={t('clientfiles.to')}
            type="email"
            inputMode="email"
            autoComplete="off"
            spellCheck={false}
            maxLength={MAX.emailInput}
            {...field('email')}
            onChange={(event) => set({ email: event.currentTarget.value })}
          />
        )}
      </div>
      {!sms && (
        <TextInput
          label={t('clientfiles.emailTitle')}
          {...field('emailTitle')}
          description={<Counter n={lengthOf(values.emailTitle)} max={MAX.emailTitle} />}
          onChange={(event) => set({ emailTitle: event.currentTarget.value })}
        />
      )}
      {sms ? (
        <Textarea
          key="smsText"
          label={t('clientfiles.text')}
          autosize
          minRows={2}
          maxRows={5}
          {...field('smsText')}
          description={
            <span className={classes.help}>
              <span>{size.encoding === 'UCS-2' && t('clientfiles.smsAccents')}</span>
              <Counter n={lengthOf(values.smsText)} max={MAX.sms} sms={size.segments} />
            </span>
          }
          // An SMS is one paragraph.
          onChange={(event) => set({ smsText: event.currentTarget.value.replace(/\s*\n\s*/g, ' ') })}
        />
      ) : (
        <Textarea
          key="emailText"
          label={t('clientfiles.text')}
          autosize
          minRows={3}
          maxRows={8}
          {...field('emailText')}
          description={<Counter n={lengthOf(values.emailText)} max={MAX.emailText} />}
          onChange={(event) => set({ emailText: event.currentTarget.value })}
        />
      )}
      {!requested && (
        <Textarea
          label={t('clientfiles.pageText')}
          autosize
          minRows={2}
          maxRows={6}
          {...field('pageText')}
          description={<Counter n={lengthOf(values.pageText)} max={MAX.page} />}
          onChange={(event) => set({ pageText: event.currentTarget.value })}
        />
      )}
    </>
  );
}
