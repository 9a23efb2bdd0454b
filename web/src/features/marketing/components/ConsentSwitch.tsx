import { Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { longDate } from '@/shared/lib/dates';
import { Note } from '@/shared/ui/Note';
import { ownConsent, setOwnConsent } from '../api';
import classes from './ConsentSwitch.module.css';

/** Whether one's own address receives advertising: given and withdrawn with the same press. */
export function ConsentSwitch() {
  const t = useT();
  const language = useLanguage();
  const queries = useQueryClient();
  const { data, error } = useQuery(ownConsent);
  const setting = useMutation({
    mutationFn: setOwnConsent,
    onSuccess: (answer) => queries.setQueryData(ownConsent.queryKey, answer),
  });
  const failure = setting.error ?? error;
  const facts = !data
    ? null
    : !data.email
      ? t('marketing.noEmail')
      : data.pending
        ? t('marketing.pending', { email: data.email })
        : data.at && t('marketing.since', { date: longDate(data.at, language) });
  return (
    <section className={classes.root} aria-labelledby="marketing-consent">
      <h2 id="marketing-consent">{t('marketing.consentTitle')}</h2>
      <Switch
        label={t('marketing.consentLabel')}
        description={t('marketing.consentText')}
        checked={data?.allow === 'YES' || data?.pending === true}
        disabled={!data?.email || setting.isPending}
        onChange={(event) => setting.mutate(event.currentTarget.checked)}
      />
      {facts && (
        <p className={classes.facts} aria-live="polite">
          {facts}
        </p>
      )}
      {failure && <Note tone="bad" icon="warn" title={t('marketing.notRecorded')} text={errorText(t, failure)} />}
    </section>
  );
}
