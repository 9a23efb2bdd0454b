import { Button, Select, Textarea, TextInput } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { CLIENT_LANGUAGES } from '@/shared/i18n/languages';
import { foldAccents, SMS_TEXT_MAX, smsSize } from '@/shared/lib/sms';
import { Note } from '@/shared/ui/Note';
import { Segmented } from '@/shared/ui/Segmented';
import type { useVideocallForm } from '../use-videocall-form';
import { type ClientLanguage, isLandline, type VideocallValues } from '../videocall-form';
import { sampleLink } from './ClientPreview';
import classes from './VideocallForm.module.css';

type ChannelFieldsProps = Pick<
  ReturnType<typeof useVideocallForm>,
  'form' | 'field' | 'chooseLanguage' | 'fold' | 'foreign'
>;

/** How the link travels: SMS with its text and size, or e-mail. */
export function ChannelFields({ form, field, chooseLanguage, fold, foreign }: ChannelFieldsProps) {
  const t = useT();
  const { values } = form;
  const choose = (channel: VideocallValues['channel']) => {
    form.setFieldValue('channel', channel);
    form.clearErrors();
  };
  return (
    <div className={classes.channel}>
      <div className={classes.channelHead}>
        <span className={classes.channelLabel}>{t('videocall.channel')}</span>
        <Segmented
          label={t('videocall.channel')}
          value={values.channel}
          onChange={choose}
          options={[
            { value: 'sms', label: t('videocall.channelSms'), icon: 'sms' },
            { value: 'email', label: t('videocall.channelEmail'), icon: 'mail' },
            { value: 'none', label: t('videocall.channelNone'), icon: 'qr' },
          ]}
        />
      </div>
      {isLandline(values) && (
        <Note
          tone="warn"
          icon="phone"
          text={t('videocall.landlineText')}
          action={
            <Button size="xs" variant="default" onClick={() => choose('email')}>
              {t('videocall.landlineEmail')}
            </Button>
          }
        />
      )}
      {values.channel === 'none' && <Note icon="qr" text={t('videocall.noneText')} />}
      {values.channel === 'sms' && <SmsText text={values.smsText.trim()} field={field} fold={fold} />}
      {values.channel === 'email' && (
        <TextInput
          label={t('videocall.email')}
          type="email"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          {...field('email')}
        />
      )}
      <div className={classes.languageRow}>
        <span id="client-language">{t('videocall.clientLanguage')}</span>
        <Select
          aria-labelledby="client-language"
          className={classes.language}
          size="xs"
          allowDeselect={false}
          data={CLIENT_LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
          value={values.language}
          onChange={(value) => value && chooseLanguage(value as ClientLanguage)}
        />
      </div>
      <p className={classes.foreign} role="status">
        {foreign && t('videocall.smsForeign')}
      </p>
    </div>
  );
}

function SmsText({ text, field, fold }: Pick<ChannelFieldsProps, 'field' | 'fold'> & { text: string }) {
  const t = useT();
  // As it is sent, which is what it costs.
  const size = smsSize(`${fold ? foldAccents(text) : text} ${sampleLink()}`);
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
      {...field('smsText')}
    />
  );
}
