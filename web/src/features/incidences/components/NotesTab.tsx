import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '@/api/generated/limits';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { longDateTime } from '@/shared/lib/dates';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { changeIncidence, keepIncidence } from '../api';
import type { IncidenceDetail } from '../types';
import classes from './drawer.module.css';

/** What administrators write down for each other; nobody else sees it. */
export function NotesTab({ incidence }: { incidence: IncidenceDetail }) {
  const t = useT();
  const language = useLanguage();
  const client = useQueryClient();
  const [text, setText] = useState('');
  const [empty, setEmpty] = useState(false);
  const saving = useMutation({
    mutationFn: () => changeIncidence({ _id: incidence._id, note: text.trim() }),
    onSuccess: (changed) => {
      keepIncidence(client, changed);
      setText('');
    },
  });
  return (
    <>
      <p className={classes.hint}>{t('incidences.notesText')}</p>
      <ol className={classes.thread}>
        {incidence.notes.map((note) => (
          <li key={note._id} className={classes.entry} data-note>
            <p className={classes.by}>
              <b>{note.author.name || t('incidences.gone')}</b>
              <time className="num" dateTime={note.at}>
                {longDateTime(note.at, language)}
              </time>
            </p>
            <p className={classes.text}>{note.text}</p>
          </li>
        ))}
      </ol>
      <form
        className={classes.answer}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setEmpty(text.trim() === '');
          if (text.trim() !== '') saving.mutate();
        }}
      >
        <Textarea
          label={t('incidences.note')}
          autosize
          minRows={3}
          maxRows={10}
          maxLength={limits.incidenceTextMax}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setEmpty(false);
          }}
          error={empty && t('incidences.mandatory')}
        />
        {saving.error && (
          <Note tone="bad" icon="warn" title={t('incidences.changeFailed')} text={errorText(t, saving.error)} />
        )}
        <div className={classes.answerActions}>
          <Button type="submit" loading={saving.isPending} leftSection={<Icon name="lock" size={16} />}>
            {t('incidences.saveNote')}
          </Button>
        </div>
      </form>
    </>
  );
}
