import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { Shot, ShotLists } from '@/api/types';
import { errorText, useT } from '@/shared/i18n';
import { useUnsaved } from '@/shared/lib/use-unsaved';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { confirm } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { StateView } from '@/shared/ui/StateView';
import { Tag } from '@/shared/ui/Tag';
import { toast } from '@/shared/ui/toast';
import { resetShots, saveShots } from '../api';
import { type DraftShot, labelErrors, moved, SHOT_LIMITS, type ShotType, sameShots } from '../model';
import classes from './ShotListEditor.module.css';
import { ShotRow } from './ShotRow';
import { useReorder } from './use-reorder';

interface ShotListEditorProps {
  company: string;
  type: ShotType;
  stored: Shot[];
  custom: boolean;
  onStored: (lists: ShotLists) => void;
  onDirty: (dirty: boolean) => void;
}

type Entry = DraftShot & { id: number };

/** One list being edited: nothing is stored before it is saved. */
export function ShotListEditor({ company, type, stored, custom, onStored, onDirty }: ShotListEditorProps) {
  const t = useT();
  const ids = useRef(0);
  const [shots, setShots] = useState<Entry[]>(() => stored.map((shot) => ({ ...shot, id: ids.current++ })));
  const [checked, setChecked] = useState(false);
  const [said, say] = useState('');
  const platform = company === '0';
  const dirty = !sameShots(shots, stored);
  useUnsaved(dirty);
  useEffect(() => onDirty(dirty), [dirty, onDirty]);

  const errors = labelErrors(shots);
  const wrong = errors.filter(Boolean).length;
  const save = useMutation({
    mutationFn: () => saveShots(company, type, shots),
    onSuccess: (lists) => {
      toast.ok({ title: t('shots.saved') });
      onStored(lists);
    },
  });
  const reset = useMutation({
    mutationFn: () => resetShots(company, type),
    onSuccess: (lists) => {
      toast.ok({ title: t('shots.wasReset') });
      onStored(lists);
    },
  });
  const move = (from: number, to: number) => {
    setShots((before) => moved(before, from, to));
    say(t('shots.movedTo', { name: shots[from]?.label ?? '', n: to + 1, count: shots.length }));
  };
  const order = useReorder(shots.length, move);

  const add = () => {
    setShots((before) => [...before, { label: '', hint: null, overlay: null, id: ids.current++ }]);
    requestAnimationFrame(() => order.list.current?.lastElementChild?.querySelector('input')?.focus());
  };
  const onSave = () => {
    setChecked(true);
    if (wrong === 0 && shots.length > 0) return save.mutate();
    requestAnimationFrame(() => order.list.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const onReset = async () => {
    const title = platform ? t('shots.resetPlatformTitle') : t('shots.resetTitle');
    const text = platform ? t('shots.resetPlatformText') : t('shots.resetText');
    if (await confirm({ title, text, confirm: t('shots.reset'), danger: true })) reset.mutate();
  };
  const failure = save.error ?? reset.error;
  return (
    <>
      <div className={classes.about}>
        <span className="num">{t('shots.count', { count: shots.length })}</span>
        {!platform && <Tag tone={custom ? 'acc' : 'quiet'}>{custom ? t('shots.own') : t('shots.default')}</Tag>}
      </div>
      {shots.length === 0 ? (
        <div className={classes.list}>
          <StateView icon="shots" title={t('shots.none')} text={t('shots.noneText')} />
        </div>
      ) : (
        <ol className={classes.list} ref={order.list}>
          {shots.map((shot, index) => (
            <ShotRow
              key={shot.id}
              shot={shot}
              index={index}
              error={checked ? (errors[index] ?? null) : null}
              dragging={order.dragged === index}
              onChange={(changes) =>
                setShots((before) => before.map((one) => (one.id === shot.id ? { ...one, ...changes } : one)))
              }
              onRemove={() => setShots((before) => before.filter((one) => one.id !== shot.id))}
              onHandleKey={order.onKey(index)}
              onHandlePress={order.onPress(index)}
            />
          ))}
        </ol>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <div>
        <Button
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
          disabled={shots.length >= SHOT_LIMITS.shots}
          onClick={add}
        >
          {t('shots.add')}
        </Button>
        {shots.length >= SHOT_LIMITS.shots && <span className={classes.full}>{t('shots.full')}</span>}
      </div>
      {failure && <Note tone="bad" icon="warn" title={t('shots.saveFailed')} text={errorText(t, failure)} />}
      <div className={classes.bar} data-foot>
        <DialogButtons
          note={
            <span className={classes.state} data-wrong={(checked && wrong > 0) || undefined}>
              {checked && wrong > 0 ? t('shots.wrong', { count: wrong }) : dirty ? t('shots.dirty') : ''}
            </span>
          }
          onCancel={() => setShots(stored.map((shot) => ({ ...shot, id: ids.current++ })))}
          cancel={t('shots.discard')}
          go={t('common.save')}
          onGo={onSave}
          busy={save.isPending}
          disabled={shots.length === 0}
          unchanged={!dirty}
        >
          {(custom || platform) && (
            <Button
              variant="subtle"
              leftSection={<Icon name="undo" size={16} />}
              loading={reset.isPending}
              onClick={() => void onReset()}
            >
              {t('shots.reset')}
            </Button>
          )}
        </DialogButtons>
      </div>
    </>
  );
}
