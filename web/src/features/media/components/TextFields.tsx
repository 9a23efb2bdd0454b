import { Button, Textarea, TextInput } from '@mantine/core';
import { limits } from '@/api/generated/limits';
import type { MediaItem } from '@/api/types';
import { errorText, useT } from '@/shared/i18n';
import type { MediaText } from '../api';
import { useMediaText } from '../hooks/use-media-text';
import { originalTitle } from '../texts';
import classes from './Facts.module.css';

const MAX: Record<MediaText, number> = { label: limits.mediaLabelMax, note: limits.mediaNoteMax };

function Field({ item, field, placeholder }: { item: MediaItem; field: MediaText; placeholder: string }) {
  const t = useT();
  const { value, state, error, change, save } = useMediaText(item, field);
  const long = [...value.trim()].length > MAX[field];
  const words = {
    idle: null,
    typing: t('media.textTyping'),
    saving: t('media.textSaving'),
    saved: t('media.textSaved'),
    failed: null,
  };
  const wrong = long
    ? t('media.textTooLong', { max: MAX[field] })
    : state === 'failed'
      ? `${t('media.textFailed', { reason: errorText(t, error) })} ${t('media.yours')}`
      : null;
  const props = {
    label: t(`media.${field}`),
    placeholder,
    value,
    error: wrong,
    inputWrapperOrder: ['label', 'input', 'error', 'description'] as ('label' | 'input' | 'error' | 'description')[],
    descriptionProps: { component: 'div' as const },
    description: (
      <span className={classes.fieldState}>
        <span role="status" data-state={state}>
          {words[state]}
        </span>
        <span className="num">{t('media.counter', { n: [...value].length, max: MAX[field] })}</span>
      </span>
    ),
    onBlur: () => void (long ? undefined : save()),
  };
  return (
    <div className={classes.field}>
      {field === 'label' ? (
        <TextInput
          {...props}
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      ) : (
        <Textarea {...props} autosize minRows={2} maxRows={6} onChange={(event) => change(event.currentTarget.value)} />
      )}
      {state === 'failed' && (
        <Button size="xs" variant="default" onClick={() => void save()}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  );
}

/** Name and note of one file, each saved as its field is left. */
export function TextFields({ item, items }: { item: MediaItem; items: MediaItem[] }) {
  const t = useT();
  return (
    <section className={classes.fields}>
      <Field key={`${item._id} label`} item={item} field="label" placeholder={originalTitle(t, item, items)} />
      <Field key={`${item._id} note`} item={item} field="note" placeholder={t('media.notePlaceholder')} />
    </section>
  );
}
