import { Button, Checkbox, Input, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { Tag } from '@/shared/ui/Tag';
import type { RequestForm } from '../hooks/use-request-form';
import { HINT_MAX, isTicked, OTHER_MAX, type Thing } from '../model';
import classes from './RequestFiles.module.css';

/** One more thing, in the adjuster's words. */
function AddOther({ onAdd }: { onAdd: (thing: Thing) => void }) {
  const t = useT();
  const [open, setOpen] = useState(false);
  const [label, setLabel] = useState('');
  const [hint, setHint] = useState('');
  const add = () => {
    if (!label.trim()) return;
    onAdd({ id: `other ${crypto.randomUUID()}`, label: label.trim(), hint: hint.trim() || undefined });
    setLabel('');
    setHint('');
    setOpen(false);
  };
  if (!open) {
    return (
      <Button
        className={classes.addButton}
        size="xs"
        variant="default"
        leftSection={<Icon name="plus" size={16} />}
        onClick={() => setOpen(true)}
      >
        {t('clientfiles.addOther')}
      </Button>
    );
  }
  const onEnter = (event: { key: string; preventDefault: () => void }) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    add();
  };
  return (
    <div className={classes.add}>
      <TextInput
        label={t('clientfiles.otherLabel')}
        placeholder={t('clientfiles.otherPlaceholder')}
        maxLength={OTHER_MAX}
        autoFocus
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
        onKeyDown={onEnter}
      />
      <TextInput
        label={
          <>
            {t('clientfiles.otherHint')} <span className={classes.optional}>{t('clientfiles.optional')}</span>
          </>
        }
        maxLength={HINT_MAX}
        value={hint}
        onChange={(event) => setHint(event.currentTarget.value)}
        onKeyDown={onEnter}
      />
      <DialogButtons
        onCancel={() => setOpen(false)}
        go={t('clientfiles.add')}
        onGo={add}
        disabled={!label.trim()}
        size="xs"
      />
    </div>
  );
}

/** What the client is asked for: ticked what the call left missing, the rest of the list, and whatever is added. */
export function Things({ form }: { form: RequestForm }) {
  const t = useT();
  const { values, things, asked, errors, set, shots } = form;
  const missing = things.some((thing) => thing.state === 'missing' || thing.state === 'poor');
  const tick = (thing: Thing, on: boolean) => set({ ticked: { ...values.ticked, [thing.id]: on } });
  return (
    <div className={classes.things}>
      <div className={classes.thingsHead}>
        <h3>{t('clientfiles.what')}</h3>
        <span className="num">{t('clientfiles.whatCount', { count: asked.length })}</span>
      </div>
      <p className={classes.quiet}>
        {shots.isError
          ? t('clientfiles.whatError')
          : shots.data && t(missing ? 'clientfiles.whatHelp' : 'clientfiles.whatHelpNone')}
      </p>
      <ul className={classes.list}>
        {things.map((thing) => (
          <li key={thing.id}>
            <Checkbox
              className={classes.check}
              label={thing.label}
              checked={isTicked(thing, values.ticked)}
              onChange={(event) => tick(thing, event.currentTarget.checked)}
            />
            {thing.state === 'poor' && <Tag tone="warn">{t('clientfiles.poor')}</Tag>}
            {thing.state === 'done' && <span className={classes.quiet}>{t('clientfiles.done')}</span>}
            {thing.id.startsWith('other ') && (
              <IconAction
                size={28}
                icon="x"
                label={t('clientfiles.remove', { label: thing.label })}
                onClick={() => set({ others: values.others.filter((one) => one.id !== thing.id) })}
              />
            )}
          </li>
        ))}
      </ul>
      <AddOther
        onAdd={(thing) => set({ others: [...values.others, thing], ticked: { ...values.ticked, [thing.id]: true } })}
      />
      {errors.items && (
        <Input.Error mt={0} role="alert">
          {errors.items}
        </Input.Error>
      )}
      <div className={classes.switches}>
        <Switch
          labelPosition="left"
          label={t('clientfiles.remind')}
          checked={values.remind}
          onChange={(event) => set({ remind: event.currentTarget.checked })}
        />
        <Switch
          labelPosition="left"
          label={t('clientfiles.notify')}
          checked={values.notify}
          onChange={(event) => set({ notify: event.currentTarget.checked })}
        />
      </div>
    </div>
  );
}
