/** A poor photo: what is wrong with it, how to take a better one, and a button to send it all the same (FILES-25). */
import { Button, Icon, Page } from '../ui';
import type { Held } from './desk';
import type { Verdict } from './quality';
import { type Key, useFiles } from './texts';

interface Props {
  held: Held;
  onAgain: () => void;
  onSend: () => void;
}

const MARK = { dark: 'sun', bright: 'sun', moved: 'warn', far: 'warn', small: 'warn', good: 'warn' } as const;

export function CheckScreen({ held, onAgain, onSend }: Props) {
  const { t } = useFiles();
  const verdict: Exclude<Verdict, 'good'> = held.verdict === 'good' ? 'moved' : held.verdict;
  const text = (part: string) => t(`check_${verdict}_${part}` as Key);
  return (
    <Page
      title={text('title')}
      actions={
        <>
          <Button kind="main" icon="camera" onClick={onAgain}>
            {t('check_again')}
          </Button>
          <Button kind="quiet" onClick={onSend}>
            {t('check_send')}
          </Button>
        </>
      }
    >
      <img class="shown" src={held.url} alt={t('check_picture')} />
      <p class="label warn">
        <Icon name={MARK[verdict]} />
        {text('label')}
      </p>
      <p class="t2">{text('text')}</p>
    </Page>
  );
}
