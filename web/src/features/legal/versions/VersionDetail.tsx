import { Button, Menu, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { LANGUAGE_CODES, languageName } from '@/shared/i18n/languages';
import { longDate } from '@/shared/lib/dates';
import { legalTexts } from '@/shared/terms/api';
import { kindName } from '@/shared/terms/kinds';
import { LegalArticle } from '@/shared/terms/LegalArticle';
import { Icon } from '@/shared/ui/Icon';
import { LoadFailed } from '@/shared/ui/LoadFailed';
import { Segmented } from '@/shared/ui/Segmented';
import { VersionDetails } from '@/shared/ui/Versioned';
import { TextDiff } from '../components/TextDiff';
import type { LegalVersion } from './api';
import classes from './legals.module.css';
import { textIn } from './model';

interface VersionDetailProps {
  version: LegalVersion;
  previous: LegalVersion | undefined;
  onAddLanguage: (language: string) => void;
}

/** One version: its words in each of its languages, and what changed since the one before. */
export function VersionDetail({ version, previous, onAddLanguage }: VersionDetailProps) {
  const t = useT();
  const own = useLanguage();
  const [language, setLanguage] = useState(textIn(version, own)?.language ?? 'es');
  const [view, setView] = useState<'text' | 'changes'>('text');
  const text = textIn(version, language);
  const old = previous?.texts.find((one) => one.language === text?.language);
  const missing = LANGUAGE_CODES.filter((code) => !version.texts.some((one) => one.language === code));
  const changes = view === 'changes' && old && text;
  return (
    <VersionDetails
      title={`${kindName(t, version.type)} · ${t('legal.versionN', { version: version.version })}`}
      lead={[
        t('legal.since', { date: longDate(version.inForceFrom, own) }),
        ...(version.type === 3 ? [] : [t('legal.acceptedBy', { count: version.accepted })]),
      ].join(' · ')}
      action={
        version.type !== 3 &&
        missing.length > 0 && (
          <Menu position="bottom-end" shadow="none">
            <Menu.Target>
              <Button variant="default" leftSection={<Icon name="globe" size={16} />}>
                {t('legal.addLanguage')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {missing.map((code) => (
                <Menu.Item key={code} lang={code} onClick={() => onAddLanguage(code)}>
                  {languageName(code)}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )
      }
    >
      <div className={classes.tools}>
        {version.texts.length > 1 && (
          <Segmented
            label={t('legal.language')}
            value={language}
            onChange={setLanguage}
            options={version.texts.map((one) => ({ value: one.language, label: languageName(one.language) }))}
          />
        )}
        {old && previous && (
          <Segmented
            label={t('legal.view')}
            value={view}
            onChange={setView}
            options={[
              { value: 'text', label: t('legal.text') },
              { value: 'changes', label: t('legal.changesSince', { version: previous.version }) },
            ]}
          />
        )}
      </div>
      <div className={classes.paper}>
        {changes ? <TextDiff from={old._id} to={text._id} /> : text && <Words id={text._id} language={text.language} />}
      </div>
    </VersionDetails>
  );
}

function Words({ id, language }: { id: string; language: string }) {
  const t = useT();
  const { data, error, refetch } = useQuery(legalTexts(language, [id]));
  if (error && !data) {
    return <LoadFailed title={t('companies.legalLoadError')} error={error} onRetry={() => void refetch()} />;
  }
  const text = data?.[0];
  return text ? <LegalArticle text={text} /> : <Skeleton h={280} />;
}
