import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { ApiError } from '@/api/errors';
import composer from '@/shared/forms/composer.module.css';
import { errorText, useT } from '@/shared/i18n';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { MessageLook } from '@/shared/ui/MessageLook';
import { Note } from '@/shared/ui/Note';
import { previewCampaign, testCampaign } from '../api';
import { type CampaignForm, problemsOf, toCampaign } from '../model';
import classes from './campaigns.module.css';

/** How long typing has to rest before the server is asked, milliseconds. */
const REST_MS = 500;

/** The message as it is sent, whom it reaches and whom not, and a try of it. */
export function CampaignPreview({ values }: { values: CampaignForm }) {
  const t = useT();
  const written = useMemo(() => JSON.stringify(toCampaign(values)), [values]);
  const [rested] = useDebouncedValue(written, REST_MS);
  const complete = Object.keys(problemsOf(values, Date.now())).length === 0;
  const { data, error } = useQuery({ ...previewCampaign(JSON.parse(rested)), enabled: complete && rested === written });
  return (
    <aside className={composer.preview} aria-label={t('marketing.preview')}>
      <h3>{t('marketing.preview')}</h3>
      {complete && data ? (
        <>
          <p className={classes.reach} aria-live="polite">
            {t('marketing.recipients', { count: data.recipients })}
          </p>
          <dl className={classes.excluded}>
            <dt>{t('marketing.noConsent')}</dt>
            <dd className="num">{data.excluded.noConsent}</dd>
            <dt>{t('marketing.suppressed')}</dt>
            <dd className="num">{data.excluded.suppressed}</dd>
            <dt>{t('marketing.withoutEmail')}</dt>
            <dd className="num">{data.excluded.invalid}</dd>
          </dl>
          <b className={classes.subject}>{data.subject}</b>
          <MessageLook text={data.text} html={data.html || null} />
          <TryOut values={values} />
        </>
      ) : (
        <p className={composer.quiet}>{t('marketing.previewEmpty')}</p>
      )}
      {complete && error && (
        <Note tone="warn" icon="warn" title={t('marketing.previewFailed')} text={errorText(t, error)} />
      )}
    </aside>
  );
}

function TryOut({ values }: { values: CampaignForm }) {
  const t = useT();
  const { user } = useRequiredSession();
  const [email, setEmail] = useState(user.email ?? '');
  const trying = useMutation({ mutationFn: () => testCampaign(toCampaign(values), email.trim()) });
  const { error } = trying;
  const beside = error instanceof ApiError ? error.errors.find(({ field }) => field === 'data.test') : undefined;
  return (
    <div className={classes.test}>
      <TextInput
        label={t('marketing.test')}
        type="email"
        value={email}
        onChange={(event) => {
          trying.reset();
          setEmail(event.currentTarget.value);
        }}
        error={beside?.message || (error && errorText(t, error))}
      />
      <Button variant="default" disabled={!email.trim()} loading={trying.isPending} onClick={() => trying.mutate()}>
        {t('marketing.sendTest')}
      </Button>
      {/* Said here: a toast would lie over the dialog's buttons. */}
      <p className={classes.tried} role="status">
        {trying.isSuccess && (
          <>
            <Icon name="check" size={16} />
            {t('marketing.testSent')}
          </>
        )}
      </p>
    </div>
  );
}
