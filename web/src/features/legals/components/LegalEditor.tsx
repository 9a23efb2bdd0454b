import { Select, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '@/api/errors';
import { LEGAL_TEXTS, type LegalText, legalTexts } from '@/features/legal/api';
import { ReadingFrame } from '@/features/legal/components/LegalArticle';
import legal from '@/features/legal/LegalModal.module.css';
import { kindName } from '@/features/legal/terms';
import { DayField } from '@/shared/forms/DayField';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, type T, useT } from '@/shared/i18n';
import { LANGUAGES } from '@/shared/i18n/languages';
import { madridDay } from '@/shared/lib/dates';
import { confirmLeaving, useUnsaved } from '@/shared/lib/use-unsaved';
import { confirm } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { safeHtml } from '@/shared/ui/safe-html';
import { toast } from '@/shared/ui/toast';
import { VersionEditor } from '@/shared/ui/Versioned';
import { LEGALS, type LegalVersion, publishLegal } from '../api';
import { type FieldProblem, type LegalForm, markup, problemsOf, TITLE_MAX, textIn, toLegal } from '../model';
import classes from './legals.module.css';

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

const problemText = (t: T, problem: FieldProblem) =>
  ({
    required: t('common.required'),
    long: t('legals.wrongLong'),
    date: t('prices.wrongDate'),
    past: t('prices.wrongPast'),
  })[problem];

function Editor({ making, start, onClose }: LegalEditorProps & { start: LegalText | null }) {
  const t = useT();
  const queries = useQueryClient();
  const { type, base, language } = making;
  const adding = language !== undefined && base !== null;
  const [failure, setFailure] = useState<string | null>(null);
  const form = useCheckedForm<LegalForm>({
    initialValues: {
      title: start?.title ?? kindName(t, type),
      html: start?.html ?? '',
      language: language ?? 'es',
      inForceFrom: '',
    },
    problems: (values) =>
      Object.fromEntries(
        Object.entries(problemsOf(values, madridDay(new Date().toISOString()))).map(([field, problem]) => [
          field,
          problem && problemText(t, problem),
        ]),
      ),
  });
  const dirty = form.form.isDirty();
  useUnsaved(dirty);
  const publishing = useMutation({
    mutationFn: () => publishLegal(toLegal(type, form.values, adding ? base.version : undefined)),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: [LEGALS] });
      void queries.invalidateQueries({ queryKey: [LEGAL_TEXTS] });
      toast.ok({ title: t('legals.published') });
      onClose();
    },
    onError: (error) => {
      const homeless = form.refuse(error);
      const known = error instanceof ApiError && error.errors.length > 0 && homeless.length === 0;
      setFailure(known ? null : errorText(t, error));
      form.focusFirstError();
    },
  });
  const submit = async () => {
    setFailure(null);
    if (!form.check()) return form.focusFirstError();
    const sure = await confirm({
      title: adding ? t('legals.publishLanguageTitle') : t('legals.publishTitle'),
      text: adding ? t('legals.publishLanguageText') : t('legals.publishText'),
      confirm: t('legals.publish'),
    });
    if (sure) publishing.mutate();
  };
  const leave = async () => {
    if (!dirty || (await confirmLeaving())) onClose();
  };
  return (
    <VersionEditor
      formRef={form.ref}
      title={
        adding
          ? t('legals.newLanguageTitle', { version: base.version })
          : t('legals.newTitle', { kind: kindName(t, type).toLocaleLowerCase() })
      }
      lead={adding ? t('legals.newLanguageLead') : t('legals.newLead')}
      publish={t('legals.publish')}
      publishing={publishing.isPending}
      disabled={!dirty}
      onPublish={() => void submit()}
      onCancel={() => void leave()}
    >
      <div className={classes.editor}>
        <div className={classes.fields}>
          <TextInput label={t('legals.titleField')} maxLength={TITLE_MAX} {...form.field('title')} />
          <div className={classes.two}>
            <Select
              label={t('legals.language')}
              data={LANGUAGES.map(({ code, name }) => ({ value: code, label: name }))}
              allowDeselect={false}
              // A version begins in Spanish; the other languages are added to it.
              disabled
              description={adding ? undefined : t('legals.languageHelp')}
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
          <Textarea
            label={t('legals.text')}
            description={t('legals.textHelp')}
            inputWrapperOrder={['label', 'input', 'error', 'description']}
            classNames={{ input: classes.code }}
            autosize
            minRows={14}
            maxRows={28}
            {...form.field('html')}
          />
        </div>
        <section className={classes.preview} aria-label={t('legals.preview')}>
          <h2>{t('legals.preview')}</h2>
          <ReadingFrame label={t('legals.preview')}>
            <article className={legal.text} lang={form.values.language}>
              {safeHtml(markup(form.values.html))}
            </article>
          </ReadingFrame>
        </section>
      </div>
      {failure && <Note tone="bad" icon="warn" title={t('legals.publishFailed')} text={failure} />}
    </VersionEditor>
  );
}
