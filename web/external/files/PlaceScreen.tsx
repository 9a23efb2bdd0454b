/** Several files were chosen, or one that fits nowhere by itself: the person says what each is (FILES-41). */
import { useState } from 'preact/hooks';
import { Button, Icon, Page } from '../ui';
import type { Desk, Unplaced } from './desk';
import { counted, useFiles } from './texts';

const NOWHERE = '-';

interface OneProps {
  one: Unplaced;
  value: string;
  wrong: boolean;
  onChange: (value: string) => void;
}

function One({ one: { file, url, places }, value, wrong, onChange }: OneProps) {
  const { t } = useFiles();
  return (
    <li class="place">
      <span class="tn">{url ? <img src={url} alt="" /> : <Icon name="file" />}</span>
      <span class="grow">
        <b class="name">
          <bdi>{file.name}</bdi>
        </b>
        <select
          class={wrong ? 'bad' : ''}
          aria-label={t('assign_label', { name: file.name })}
          aria-invalid={wrong}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <option value="">{t('assign_choose')}</option>
          {places.map(({ item }) => (
            <option key={item._id} value={item._id}>
              {item.label}
            </option>
          ))}
          <option value={NOWHERE}>{t('assign_none')}</option>
        </select>
      </span>
    </li>
  );
}

export function PlaceScreen({ desk }: { desk: Desk }) {
  const { t } = useFiles();
  const { unplaced } = desk;
  const [chosen, setChosen] = useState<Record<number, string>>({});
  const [nudged, setNudged] = useState(false);
  const missing = unplaced.some((_, at) => !chosen[at]);
  const send = () => {
    if (missing) setNudged(true);
    else void desk.place(unplaced.map((_, at) => (chosen[at] === NOWHERE ? null : (chosen[at] ?? null))));
  };
  return (
    <Page
      title={counted(t, 'assign_title', unplaced.length)}
      actions={
        <Button kind="main" icon="check" onClick={send}>
          {t('assign_send')}
        </Button>
      }
    >
      <ul class="asked">
        {unplaced.map((one, at) => (
          <One
            key={at}
            one={one}
            value={chosen[at] ?? ''}
            wrong={nudged && !chosen[at]}
            onChange={(value) => setChosen((before) => ({ ...before, [at]: value }))}
          />
        ))}
      </ul>
      <p class="problem" role="alert">
        {nudged && missing && t('assign_missing').replaceAll('**', '')}
      </p>
    </Page>
  );
}
