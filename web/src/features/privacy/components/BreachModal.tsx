import { Modal, NumberInput, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Breach } from '@/api/types';
import { errorText, useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { addBreach } from '../api';
import { asMoment } from '../model';
import classes from './privacy.module.css';

/** CONTRACT `security-breaches`. */
const TITLE_MAX = 120;
const TEXT_MAX = 2000;

interface BreachModalProps {
  /** What is added: something new, or more about an entry. */
  adding: { follows: Breach | null } | null;
  onClose: () => void;
}

/** Writes down a breach of security. An entry is never changed: more about it is another one. */
export function BreachModal({ adding, onClose }: BreachModalProps) {
  const t = useT();
  return (
    <Modal opened={adding !== null} onClose={onClose} size={640} title={t('privacy.newBreach')}>
      {adding && <Form follows={adding.follows} onClose={onClose} />}
    </Modal>
  );
}

const MOMENTS = ['knownAt', 'happenedAt', 'authorityAt', 'peopleAt'] as const;

function Form({ follows, onClose }: { follows: Breach | null; onClose: () => void }) {
  const t = useT();
  const queries = useQueryClient();
  const [texts, setTexts] = useState({ title: follows?.title ?? '', nature: '', effects: '', measures: '' });
  const [moments, setMoments] = useState({ knownAt: '', happenedAt: '', authorityAt: '', peopleAt: '' });
  const [people, setPeople] = useState<number | string>('');
  const [checked, setChecked] = useState(false);
  const missing = { title: !texts.title.trim(), nature: !texts.nature.trim(), knownAt: !asMoment(moments.knownAt) };
  const adding = useMutation({
    mutationFn: () =>
      addBreach({
        ...texts,
        knownAt: asMoment(moments.knownAt),
        happenedAt: asMoment(moments.happenedAt),
        authorityAt: asMoment(moments.authorityAt),
        peopleAt: asMoment(moments.peopleAt),
        people: typeof people === 'number' ? people : null,
        follows: follows?._id ?? null,
      }),
    onSuccess: () => {
      toast.ok({ title: t('privacy.breachSaved') });
      void queries.invalidateQueries({ queryKey: ['list_security_breaches'] });
      onClose();
    },
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!Object.values(missing).some(Boolean) && !adding.isPending) adding.mutate();
  };
  const needed = (is: boolean) => checked && is && t('privacy.needed');
  return (
    <form className={classes.erase} onSubmit={onSubmit} noValidate>
      <p>{follows ? t('privacy.continues', { title: follows.title }) : t('privacy.breachHelp')}</p>
      <TextInput
        label={t('privacy.breachTitle')}
        maxLength={TITLE_MAX}
        data-autofocus
        value={texts.title}
        error={needed(missing.title)}
        onChange={(event) => setTexts({ ...texts, title: event.currentTarget.value })}
      />
      {(['nature', 'effects', 'measures'] as const).map((name) => (
        <Textarea
          key={name}
          label={t(`privacy.${name}`)}
          autosize
          minRows={2}
          maxLength={TEXT_MAX}
          value={texts[name]}
          error={name === 'nature' && needed(missing.nature)}
          onChange={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
        />
      ))}
      {MOMENTS.map((name) => (
        <TextInput
          key={name}
          type="datetime-local"
          label={t(`privacy.${name}`)}
          value={moments[name]}
          error={name === 'knownAt' && needed(missing.knownAt)}
          onChange={(event) => setMoments({ ...moments, [name]: event.currentTarget.value })}
        />
      ))}
      <NumberInput label={t('privacy.people')} min={0} allowDecimal={false} value={people} onChange={setPeople} />
      {adding.error && (
        <Note tone="bad" icon="warn" title={t('privacy.breachFailed')} text={errorText(t, adding.error)} />
      )}
      <DialogButtons onCancel={onClose} go={t('privacy.saveBreach')} busy={adding.isPending} />
    </form>
  );
}
