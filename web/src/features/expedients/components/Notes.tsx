import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '@/api/generated/limits';
import type { Expedient, ExpedientNote } from '@/api/types';
import { getExpedient } from '@/shared/conference/api';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { longDateTime } from '@/shared/lib/dates';
import { confirm } from '@/shared/ui/dialogs';
import { IconAction } from '@/shared/ui/IconAction';
import { toast } from '@/shared/ui/toast';
import { addNote, deleteNote } from '../api';
import classes from './expedient.module.css';
import { Section } from './Section';

interface NotesProps {
  expedientNumber: string;
  notes: ExpedientNote[];
  /** Whether the caller may delete notes of others too. */
  mayDeleteAll: boolean;
}

/** What colleagues wrote down about a case; the client never sees it. */
export function Notes({ expedientNumber, notes, mayDeleteAll }: NotesProps) {
  const t = useT();
  const language = useLanguage();
  const queries = useQueryClient();
  const { queryKey } = getExpedient(expedientNumber);
  const keep = (change: (notes: ExpedientNote[]) => ExpedientNote[]) =>
    queries.setQueryData(queryKey, (known: Expedient | undefined) => known && { ...known, notes: change(known.notes) });
  const removal = useMutation({
    mutationFn: deleteNote,
    onSuccess: (_answer, id) => keep((known) => known.filter((note) => note._id !== id)),
    onError: (error) => toast.error({ title: t('expedients.noteNotDeleted'), text: errorText(t, error) }),
  });
  const ask = async (note: ExpedientNote) => {
    const sure = await confirm({
      title: t('expedients.deleteNoteTitle'),
      text: t('expedients.deleteNoteText'),
      confirm: t('common.delete'),
      danger: true,
    });
    if (sure) removal.mutate(note._id);
  };
  return (
    <Section title={t('expedients.notes')} count={notes.length}>
      <NoteForm expedientNumber={expedientNumber} onAdded={(note) => keep((known) => [note, ...known])} />
      <ul className={classes.notes}>
        {notes.map((note) => (
          <li key={note._id}>
            <p>{note.text}</p>
            <span className={`${classes.quiet} num`}>
              {note.userName} · {longDateTime(note.createdAt, language)}
            </span>
            {(note.own || mayDeleteAll) && (
              <IconAction icon="trash" size={28} label={t('expedients.deleteNote')} onClick={() => void ask(note)} />
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function NoteForm({ expedientNumber, onAdded }: { expedientNumber: string; onAdded: (note: ExpedientNote) => void }) {
  const t = useT();
  const [text, setText] = useState('');
  const [empty, setEmpty] = useState(false);
  const adding = useMutation({
    mutationFn: (wanted: string) => addNote(expedientNumber, wanted),
    onSuccess: ({ note }) => {
      setText('');
      onAdded(note);
    },
    onError: (error) => toast.error({ title: t('expedients.noteNotAdded'), text: errorText(t, error) }),
  });
  return (
    <form
      className={classes.noteForm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const wanted = text.trim();
        setEmpty(!wanted);
        if (wanted && !adding.isPending) adding.mutate(wanted);
      }}
    >
      <Textarea
        label={t('expedients.newNote')}
        description={`${text.length} / ${limits.expedientNoteMax}`}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={limits.expedientNoteMax}
        error={empty && t('common.write_note')}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setEmpty(false);
        }}
      />
      <Button type="submit" variant="default" loading={adding.isPending}>
        {t('expedients.addNote')}
      </Button>
    </form>
  );
}
