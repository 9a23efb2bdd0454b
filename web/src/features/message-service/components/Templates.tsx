import { Select, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { LANGUAGES } from '@/shared/i18n/languages';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { MasterDetail } from '@/shared/ui/MasterDetail';
import { MessageLook } from '@/shared/ui/MessageLook';
import { Note } from '@/shared/ui/Note';
import { Tag } from '@/shared/ui/Tag';
import { listTemplates, type Template, templatePreview } from '../api';
import { channelOf, purposeOf, purposeText } from '../model';
import classes from './ServiceState.module.css';

/** The messages that the product writes, each as it looks with invented values. They are read only. */
export function Templates() {
  const t = useT();
  const narrow = useMediaQuery('(max-width: 768px)') ?? false;
  const [chosen, setChosen] = useState<string | null>(null);
  const { data, error, refetch } = useQuery(listTemplates);
  if (!data) {
    if (!error) return <Skeleton h={320} radius="lg" />;
    return <LoadFailed title={t('messageservice.templatesError')} error={error} onRetry={() => void refetch()} />;
  }
  const idOf = ({ key, channel }: Template) => `${channel}:${key}`;
  const sorted = [...data].sort(
    (a, b) => purposeText(t, a.key).localeCompare(purposeText(t, b.key)) || a.key.localeCompare(b.key),
  );
  const shown = sorted.find((one) => idOf(one) === chosen) ?? (narrow ? undefined : sorted[0]);
  return (
    <>
      <Note text={t('messageservice.templatesNote')} />
      <MasterDetail
        label={t('messageservice.templates')}
        chosen={shown ? idOf(shown) : null}
        onChoose={setChosen}
        items={sorted.map((one) => ({
          key: idOf(one),
          title: purposeText(t, one.key),
          tag: <Tag>{t(`outbox.${channelOf(one.channel)}`)}</Tag>,
          facts: (
            <>
              <code className={classes.key}>{purposeOf(one.key)}</code>
              {' · '}
              {one.variables.length > 0 ? one.variables.join(', ') : t('messageservice.noVariables')}
            </>
          ),
        }))}
      >
        {shown && <Preview key={idOf(shown)} template={shown} />}
      </MasterDetail>
    </>
  );
}

function Preview({ template }: { template: Template }) {
  const t = useT();
  const current = useLanguage();
  const [language, setLanguage] = useState(current);
  const { data, error, refetch } = useQuery({
    ...templatePreview(template.key, language),
    placeholderData: (before) => before,
  });
  return (
    <div className={classes.preview}>
      <div className={classes.previewHead}>
        <h2>{data?.subject ?? t(`outbox.${channelOf(template.channel)}`)}</h2>
        <Select
          aria-label={t('shell.language')}
          size="xs"
          w={140}
          allowDeselect={false}
          data={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
          value={language}
          onChange={(value) => value && setLanguage(value)}
        />
      </div>
      {error && !data && (
        <LoadFailed title={t('messageservice.previewError')} error={error} onRetry={() => void refetch()} />
      )}
      {!error && !data && <Skeleton h={200} radius="md" />}
      {data && <MessageLook text={data.text} html={data.html ?? null} language={language} />}
      {data?.sms && (
        <p className={`${classes.quiet} num`}>
          {t('messageservice.smsLength', {
            count: data.sms.segments,
            chars: [...data.text].length,
            encoding: data.sms.encoding,
            units: data.sms.units,
          })}
        </p>
      )}
    </div>
  );
}
