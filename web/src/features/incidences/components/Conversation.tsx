import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { limits } from '@/api/generated/limits';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { longDateTime } from '@/shared/lib/dates';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { changeIncidence, keepIncidence } from '../api';
import type { IncidenceDetail, IncidenceImage, NewImage } from '../types';
import classes from './drawer.module.css';
import { ImageField } from './ImageField';
import { Pictures } from './Pictures';

const ADMINISTRATOR = 1;

/** What was written at first and what was answered since, in order, and the next answer. */
export function Conversation({ incidence, admin }: { incidence: IncidenceDetail; admin: boolean }) {
  const t = useT();
  const { author, comments, createdAt, images, answers, erased } = incidence;
  return (
    <>
      <ol className={classes.thread}>
        <Entry author={author} at={createdAt} text={erased ? t('incidences.erased') : comments} images={images} />
        {answers.map((answer) => (
          <Entry key={answer._id} {...answer} />
        ))}
      </ol>
      <Answer incidence={incidence} admin={admin} />
    </>
  );
}

interface EntryProps {
  author: { name: string; role: number };
  at: string;
  text: string;
  images: readonly IncidenceImage[];
}

function Entry({ author, at, text, images }: EntryProps) {
  const t = useT();
  const language = useLanguage();
  const support = author.role === ADMINISTRATOR;
  return (
    <li className={classes.entry} data-support={support || undefined}>
      <p className={classes.by}>
        <b>{author.name || t('incidences.gone')}</b>
        {support && <Tag tone="acc">{t('incidences.supportTeam')}</Tag>}
        <time className="num" dateTime={at}>
          {longDateTime(at, language)}
        </time>
      </p>
      {text && <p className={classes.text}>{text}</p>}
      <Pictures images={images} />
    </li>
  );
}

/** Of the support team, of its author and of his principal. Answering an archived one reopens it, for its author. */
function Answer({ incidence, admin }: { incidence: IncidenceDetail; admin: boolean }) {
  const t = useT();
  const client = useQueryClient();
  const { user } = useRequiredSession();
  const [text, setText] = useState('');
  const [images, setImages] = useState<NewImage[]>([]);
  const [empty, setEmpty] = useState(false);
  const archived = incidence.status === 4;
  const reopens = archived && !admin && incidence.moves.includes(3);
  const sending = useMutation({
    mutationFn: () =>
      changeIncidence({
        _id: incidence._id,
        answer: text.trim() || undefined,
        status: reopens ? 3 : undefined,
        files: images,
      }),
    onSuccess: (changed) => {
      keepIncidence(client, changed);
      setText('');
      setImages([]);
      toast.ok({ title: reopens ? t('incidences.reopened') : t('incidences.answered') });
    },
  });
  if (archived && !admin && !reopens) {
    const key = incidence.author._id === user._id ? 'incidences.archivedText' : 'incidences.archivedOther';
    return <Note icon="check" text={t(key)} />;
  }
  return (
    <form
      className={classes.answer}
      noValidate
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => event.preventDefault()}
      onSubmit={(event) => {
        event.preventDefault();
        const nothing = text.trim() === '' && images.length === 0;
        setEmpty(nothing);
        if (!nothing) sending.mutate();
      }}
    >
      {reopens && <Note icon="refresh" text={t('incidences.reopenText')} />}
      <Textarea
        label={admin ? t('incidences.answer') : t('incidences.yourAnswer')}
        description={admin ? t('incidences.answerHint') : undefined}
        inputWrapperOrder={['label', 'input', 'error', 'description']}
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
      {!incidence.erased && <ImageField images={images} onChange={(change) => setImages(change)} />}
      {sending.error && (
        <Note tone="bad" icon="warn" title={t('incidences.sendError')} text={errorText(t, sending.error)} />
      )}
      <div className={classes.answerActions}>
        <Button
          type="submit"
          variant={admin && incidence.moves.includes(2) ? 'default' : 'filled'}
          loading={sending.isPending}
          leftSection={<Icon name="send" size={16} />}
        >
          {reopens ? t('incidences.answerReopen') : t('incidences.sendAnswer')}
        </Button>
      </div>
    </form>
  );
}
