import { Select, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useT } from '@/shared/i18n';
import { Segmented } from '@/shared/ui/Segmented';
import { SMS_TEXT_MAX, smsSize } from '../sms';
import type { ClientLanguage, VideocallValues } from '../videocall-form';
import { sampleLink } from './ClientPreview';
import classes from './VideocallForm.module.css';

interface ChannelFieldsProps {
  form: UseFormReturnType<VideocallValues>;
  onLanguage: (language: ClientLanguage) => void;
}

/** How the link travels: SMS with its text and size, or e-mail. */
export function ChannelFields({ form, onLanguage }: ChannelFieldsProps) {
  const t = useT();
  const { values } = form;
  return (
    <div className={classes.channel}>
      <div className={classes.channelHead}>
        <span className={classes.channelLabel}>{t('videocall.channel')}</span>
        <Segmented
          label={t('videocall.channel')}
          value={values.channel}
          onChange={(channel) => {
            form.setFieldValue('channel', channel);
            form.clearErrors();
          }}
          options={[
            { value: 'sms', label: t('videocall.channelSms'), icon: 'sms' },
            { value: 'email', label: t('videocall.channelEmail'), icon: 'mail' },
          ]}
        />
      </div>
      {values.channel === 'sms' ? (
        <SmsText form={form} />
      ) : (
        <TextInput
          label={t('videocall.email')}
          type="email"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          {...form.getInputProps('email')}
        />
      )}
      <div className={classes.languageRow}>
        <span id="client-language">{t('videocall.clientLanguage')}</span>
        <Select
          aria-labelledby="client-language"
          className={classes.language}
          size="xs"
          allowDeselect={false}
          data={[
            { value: 'es', label: t('videocall.langEs') },
            { value: 'en', label: t('videocall.langEn') },
          ]}
          value={values.language}
          onChange={(value) => value && onLanguage(value as ClientLanguage)}
        />
      </div>
    </div>
  );
}

function SmsText({ form }: { form: UseFormReturnType<VideocallValues> }) {
  const t = useT();
  const text = form.values.smsText.trim();
  const size = smsSize(`${text} ${sampleLink()}`);
  const hint = t('videocall.smsHint', { count: size.segments });
  return (
    <Textarea
      label={t('videocall.smsText')}
      autosize
      minRows={1}
      maxRows={4}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      descriptionProps={{ component: 'div' }}
      description={
        <span className={classes.smsHelp}>
          <span>
            {hint}
            {size.encoding === 'UCS-2' && ` ${t('videocall.smsAccents')}`}
          </span>
          <span className={`${classes.counter} num`} data-over={[...text].length > SMS_TEXT_MAX || undefined}>
            {t('videocall.counter', { n: [...text].length, max: SMS_TEXT_MAX })}
          </span>
        </span>
      }
      {...form.getInputProps('smsText')}
    />
  );
}
