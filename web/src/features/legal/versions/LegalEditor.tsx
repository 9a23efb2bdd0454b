import { Select, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DayField } from '@/shared/forms/DayField';
import type { CheckedForm } from '@/shared/forms/use-checked-form';
import { useVersionForm } from '@/shared/forms/use-version-form';
import { type T, useT } from '@/shared/i18n';
import { LANGUAGES } from '@/shared/i18n/languages';
import { paragraphs } from '@/shared/lib/markup';
import { LEGAL_TEXTS, type LegalText, legalTexts } from '@/shared/terms/api';
import { kindName } from '@/shared/terms/kinds';
import { ReadingFrame } from '@/shared/terms/LegalArticle';
import legal from '@/shared/terms/LegalModal.module.css';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Segmented } from '@/shared/ui/Segmented';
import { safeHtml } from '@/shared/ui/safe-html';
import { toast } from '@/shared/ui/toast';
import { VersionEditor } from '@/shared/ui/Versioned';
import { LEGALS, type LegalVersion, publishLegal } from './api';
import classes from './legals.module.css';
import { type FieldProblem, type LegalForm, problemsOf, TITLE_MAX, textIn, toLegal } from './model';
import { RichText } from './RichText';

/** What is being made: a new version that begins as `base`, or with `language` a further language of `base`. */
export interface Making {
  type: number;
  base: LegalVersion | null;
  language?: string;
}

interface LegalEditorProps {
  making: Making;
  onClose: () => void;
}

/** Waits for the words that the new text begins with. */
export function LegalEditor({ making, onClose }: LegalEditorProps) {
  const source = making.base && textIn(making.base, 'es');
  const found = useQuery({
    ...legalTexts(source?.language ?? 'es', [source?._id ?? '']),
    enabled: Boolean(source),
  });
  // Without the old words one begins with none.
  if (source && found.isPending) return <Skeleton m={24} h={420} radius="lg" />;
  return <Editor making={making} start={found.data?.[0] ?? null} onClose={onClose} />;
}

const problemText = (t: T, problem: FieldProblem, field: string) =>
  ({
    required: field === 'title' ? t('common.write_title') : t('common.write_text'),
    long: t('legal.wrongLong'),
    date: t('prices.wrongDate'),
    past: t('prices.wrongPast'),
  })[problem];

function Editor({ making, start, onClose }: LegalEditorProps & { start: LegalText | null }) {
  const t = useT();
  const queries = useQueryClient();
  const { type, base, language } = making;
  const adding = language !== undefined && base !== null;
  const { form, dirty, failure, publishing, submit, leave } = useVersionForm<LegalForm, FieldProblem, unknown>({
    initialValues: {
      title: start?.title ?? kindName(t, type),
      html: start?.html ?? '',
      language: language ?? 'es',
      inForceFrom: '',
    },
    problems: problemsOf,
    problemText: (problem, field) => problemText(t, problem, field),
    publish: (values) => publishLegal(toLegal(type, values, adding ? base.version : undefined)),
    onPublished: () => {
      void queries.invalidateQueries({ queryKey: [LEGALS] });
      void queries.invalidateQueries({ queryKey: [LEGAL_TEXTS] });
      toast.ok({ title: t('legal.published') });
      onClose();
    },
    onClose,
    question: () => ({
      title: adding ? t('legal.publishLanguageTitle') : t('legal.publishTitle'),
      text: adding ? t('legal.publishLanguageText') : t('legal.publishText'),
      confirm: t('legal.publish'),
    }),
  });
  return (
    <VersionEditor
      formRef={form.ref}
      title={
        adding
          ? t('legal.newLanguageTitle', { version: base.version })
          : t('legal.newTitle', { kind: kindName(t, type).toLocaleLowerCase() })
      }
      lead={adding ? t('legal.newLanguageLead') : t('legal.newLead')}
      publish={t('legal.publish')}
      publishing={publishing}
      disabled={!dirty}
      onPublish={() => void submit()}
      onCancel={() => void leave()}
    >
      <div className={classes.fields}>
        <div className={classes.fields}>
          <TextInput label={t('legal.titleField')} maxLength={TITLE_MAX} {...form.field('title')} />
          <div className={classes.two}>
            <Select
              label={t('legal.language')}
              data={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
              allowDeselect={false}
              // A version begins in Spanish; the other languages are added to it.
              disabled
              description={adding ? undefined : t('legal.languageHelp')}
              inputWrapperOrder={['label', 'input', 'error', 'description']}
              rightSection={<Icon name="down" size={16} />}
              rightSectionPointerEvents="none"
              {...form.field('language')}
            />
            {!adding && (
              <DayField
                label={t('prices.validFrom')}
                description={t('prices.validFromHelp')}
                clearable
                {...form.field('inForceFrom')}
                value={form.values.inForceFrom}
              />
            )}
          </div>
        </div>
        <Words form={form} />
      </div>
      {failure && <Note tone="bad" icon="warn" title={t('legal.publishFailed')} text={failure} />}
    </VersionEditor>
  );
}

/** The words: as their readers see them, or as markup with that beside it. */
function Words({ form }: { form: CheckedForm<LegalForm> }) {
  const t = useT();
  const [way, setWay] = useState<'read' | 'html'>('read');
  const { html, language } = form.values;
  return (
    <>
      <div>
        <Segmented
          label={t('legal.editing')}
          value={way}
          onChange={setWay}
          options={[
            { value: 'read', label: t('legal.asRead'), icon: 'doc' },
            { value: 'html', label: t('legal.asHtml'), icon: 'code' },
          ]}
        />
      </div>
      {way === 'read' ? (
        <RichText
          label={t('legal.text')}
          description={t('legal.asReadHelp')}
          lang={language}
          value={html}
          error={form.errors.html}
          onChange={(changed) => form.set({ html: changed })}
        />
      ) : (
        <div className={classes.editor}>
          <Textarea
            label={t('legal.text')}
            description={t('legal.textHelp')}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            classNames={{ input: classes.code }}
            autosize
            minRows={14}
            maxRows={28}
            {...form.field('html')}
          />
          <section className={classes.preview} aria-label={t('legal.preview')}>
            <h2>{t('legal.preview')}</h2>
            <ReadingFrame label={t('legal.preview')}>
              <article className={legal.text} lang={language}>
                {safeHtml(paragraphs(html))}
              </article>
            </ReadingFrame>
          </section>
        </div>
      )}
    </>
  );
}
