/** The appointment: what was agreed or proposed, and another moment for whoever cannot go on now (VISIT-2, VISIT-7). */
import { useEffect, useState } from 'preact/hooks';
import { API, ApiError, nameMoment } from '../api';
import type { ScreenProps } from '../app';
import type { Appointment } from '../model';
import { Button, CallCompany, Page, useAround, whoOf } from '../ui';
import { momentText } from '../words';
import { firstMoment, localValue, momentProblem } from './moment';
import { type Key, useVisitTexts } from './texts';
import './visit.css';

type Props = Pick<ScreenProps, 'state' | 'send'>;

/** Names a moment to the server and tells the page what came of it; answers the text of a failure. */
async function name({ state, send }: Props, at: string): Promise<Key | null> {
  if (!state.hash) return 'e_failed';
  try {
    const { appointment } = await nameMoment(state.hash, at);
    send({ type: 'NAMED', appointment });
    return null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 410) send({ type: 'RELOAD' });
    return 'e_failed';
  }
}

export function VisitScreen(props: Props) {
  const { state } = props;
  const [other, setOther] = useState(false);
  const appointment = state.info?.appointment;
  // What was just named is shown, not the choice any more.
  useEffect(() => setOther(false), [appointment]);
  if (!appointment || other) return <Choose {...props} />;
  return <Known {...props} appointment={appointment} onOther={() => setOther(true)} />;
}

function Known({ state, send, appointment, onOther }: Props & { appointment: Appointment; onOther: () => void }) {
  const { language, info } = useAround();
  const t = useVisitTexts();
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState<Key | null>(null);
  const agreed = appointment.state === 'agreed';
  const asked = !agreed && appointment.proposedBy === 'staff';
  const who = whoOf(info);
  const accept = async () => {
    setBusy(true);
    setFailed(await name({ state, send }, appointment.at));
    setBusy(false);
  };
  return (
    <Page
      title={t(agreed ? 'title_agreed' : asked ? 'title_proposed' : 'title_waiting', { who })}
      icon="clock"
      tone={agreed ? 'ok' : 'plain'}
      showCase
      actions={
        <>
          {asked && (
            <Button kind="main" icon="check" busy={busy} onClick={accept}>
              {t('accept')}
            </Button>
          )}
          {agreed && (
            <Button kind="main" icon="clock" href={`${API}/${state.hash}/calendar`}>
              {t('calendar')}
            </Button>
          )}
          <Button onClick={onOther}>{t('other')}</Button>
          <Button kind="quiet" onClick={() => send({ type: 'ENTER' })}>
            {t('enter')}
          </Button>
        </>
      }
    >
      <p>
        <b>{momentText(appointment.at, language)}</b>
      </p>
      {!asked && <p class="t2">{t(agreed ? 'text_agreed' : 'text_waiting', { who })}</p>}
      <p class="problem" role="alert">
        {failed && t(failed)}
      </p>
    </Page>
  );
}

function Choose({ state, send }: Props) {
  const { info } = useAround();
  const t = useVisitTexts();
  const [value, setValue] = useState(() => localValue(firstMoment(Date.now())));
  const [wrong, setWrong] = useState<Key | null>(null);
  const [busy, setBusy] = useState(false);
  const propose = async () => {
    const problem = momentProblem(value, Date.now());
    setWrong(problem);
    if (problem) return;
    setBusy(true);
    setWrong(await name({ state, send }, new Date(value).toISOString()));
    setBusy(false);
  };
  return (
    <Page
      title={t('title_choose')}
      icon="clock"
      showCase
      actions={
        <>
          <Button kind="main" icon="send" busy={busy} onClick={propose}>
            {t('propose')}
          </Button>
          <Button onClick={() => send({ type: 'ENTER' })}>{t('enter')}</Button>
          <CallCompany />
        </>
      }
    >
      <p class="t2">{t('text_choose', { who: whoOf(info) })}</p>
      <label class="moment">
        <span>{t('when')}</span>
        <input
          class="n"
          type="datetime-local"
          value={value}
          min={localValue(Date.now())}
          aria-invalid={wrong !== null}
          aria-describedby="moment-problem"
          onInput={(event) => {
            setValue(event.currentTarget.value);
            setWrong(null);
          }}
        />
      </label>
      <p class="problem" role="alert" id="moment-problem">
        {wrong && t(wrong)}
      </p>
    </Page>
  );
}
