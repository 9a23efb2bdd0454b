/** The upload page: asks what is wanted, keeps what is chosen, shows one screen. Camera and sending are other chunks. */
import { Component, type ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Translate as CallTranslate } from '../i18n';
import type { Language, LinkInfo } from '../model';
import { Around } from '../ui';
import { markPage, namedLanguage, pickLanguage, rememberLanguage, startLanguage } from '../words';
import { sayOpened } from './api';
import { CheckScreen } from './CheckScreen';
import { type Desk, useDesk } from './desk';
import type { FileCamera } from './FileCamera';
import { ListScreen } from './ListScreen';
import { loadCamera, type Problem, type Settled, type Told, TRY_EVERY, useRequest, useSending } from './live';
import type { FilesInfo } from './model';
import { PlaceScreen } from './PlaceScreen';
import { progressOf } from './queue';
import { Closed, Crash, Finished, Loading, Offline, Stop, Unknown } from './states';
import { Files, loadTexts, reasonOf, spoken as spokenOf, type Translate, translate } from './texts';

/** The token of `/external/files/{token}`; anything else in its place goes to the server unchanged. */
export const tokenOf = (path: string): string => /^\/external\/files\/([^/]+)/.exec(path)?.[1] ?? '-';

/** The state of the queue for screen readers. */
function spoken({ queue, event }: Told, info: FilesInfo | null, t: Translate): string | null {
  if (event.type === 'OFFLINE') return t('say_offline');
  if (event.type === 'ONLINE') return t('say_online');
  if (event.type !== 'DONE' && event.type !== 'REFUSED') return null;
  const entry = queue.entries.find(({ key }) => key === event.key);
  const label = info?.items.find(({ _id }) => _id === entry?.itemId)?.label ?? entry?.name ?? '';
  if (event.type === 'REFUSED') return t('say_refused', { label, reason: reasonOf({ t, info }, event.code) });
  return progressOf(queue).pending ? t('say_sent', { label }) : `${t('say_sent', { label })}. ${t('say_all')}`;
}

function Camera({ desk }: { desk: Desk }) {
  const [Screen, setScreen] = useState<{ show: typeof FileCamera } | null>(null);
  useEffect(() => {
    let gone = false;
    const load = () =>
      loadCamera()
        .then((module) => !gone && setScreen({ show: module.FileCamera }))
        .catch(() => !gone && setTimeout(load, TRY_EVERY));
    void load();
    return () => {
      gone = true;
    };
  }, []);
  return Screen ? <Screen.show desk={desk} /> : <Loading />;
}

interface ShownProps {
  info: FilesInfo | null;
  problem: Problem;
  desk: Desk;
  refresh: () => Promise<void>;
}

function Shown({ info, problem, desk, refresh }: ShownProps) {
  if (!info) {
    if (problem === 'unknown') return <Unknown onRetry={() => location.reload()} />;
    return problem ? <Offline kept={desk.queue.entries.length > 0} onRetry={() => void refresh()} /> : <Loading />;
  }
  if (info.state === 'finished') return <Finished />;
  if (info.state !== 'open') return <Closed state={info.state} />;
  if (desk.mode === 'camera') return <Camera desk={desk} />;
  if (desk.unplaced.length) return <PlaceScreen desk={desk} />;
  const [held] = desk.held;
  if (held) return <CheckScreen held={held} onAgain={desk.again} onSend={desk.sendHeld} />;
  return desk.mode === 'stop' ? <Stop desk={desk} /> : <ListScreen desk={desk} />;
}

/** Identifies a screen: when it changes, the focus moves to the new title. */
function nameOf({ info, problem, desk }: Omit<ShownProps, 'refresh'>): string {
  const held = desk.held[0];
  return `${info?.state ?? problem} ${desk.mode} ${desk.unplaced.length} ${held ? held.url : ''}`;
}

class Boundary extends Component<{ fallback: ComponentChildren; children: ComponentChildren }, { broken: boolean }> {
  state = { broken: false };
  componentDidCatch() {
    this.setState({ broken: true });
  }
  render() {
    return this.state.broken ? this.props.fallback : this.props.children;
  }
}

/** Types that the picker offers; the server looks at the bytes. */
const TYPES = 'image/*,video/*,application/pdf,.heic,.heif,.pdf';

function Inputs({ desk }: { desk: Desk }) {
  const chosen = (event: { currentTarget: HTMLInputElement }) => {
    const files = Array.from(event.currentTarget.files ?? []);
    event.currentTarget.value = '';
    if (files.length) void desk.take(files, false);
  };
  return (
    // Moved out of sight rather than hidden: older Safari opens no picker for an element without layout.
    <div class="unseen" aria-hidden="true">
      <input id="pick" type="file" accept={TYPES} multiple tabIndex={-1} onChange={chosen} />
      <input id="shoot" type="file" accept="image/*" capture="environment" tabIndex={-1} onChange={chosen} />
    </div>
  );
}

function useManners(language: Language, info: FilesInfo | null, t: Translate, screen: string, fleeting: boolean) {
  const started = useRef(false);
  useEffect(() => {
    if (!started.current) {
      started.current = true;
      return;
    }
    scrollTo(0, 0);
    document.querySelector('h1')?.focus({ preventScroll: true });
  }, [screen]);
  useLayoutEffect(() => markPage(language), [language]);
  useEffect(() => {
    document.title = info?.company ? `${t('title')} · ${info.company}` : t('title');
  }, [language, info?.company]);
  useEffect(() => {
    if (!fleeting) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [fleeting]);
}

export function App() {
  const token = useMemo(() => tokenOf(location.pathname), []);
  const [language, setLanguage] = useState<Language>(() => spokenOf(startLanguage()));
  const [said, setSaid] = useState('');
  const t: Translate = (key, values) => translate(language, key, values);
  const settled = useMemo<Settled>(() => ({ keys: new Set(), forget: () => {} }), []);
  const { info, problem, refresh } = useRequest(token, language, settled);
  const { queue, sending } = useSending(token, info, refresh, (told) => {
    const words = spoken(told, info, t);
    if (words) setSaid(words);
    if (told.event.type === 'DONE') {
      settled.keys.add(told.event.key);
      void refresh();
    }
  });
  settled.forget = (key) => void sending().then((queued) => queued.forget(key));
  const desk = useDesk({ token, info, sending, queue, refresh });

  useEffect(() => {
    if (info?.state === 'open') void sayOpened(token);
    const ofCase = pickLanguage(info?.language ?? null, []);
    if (ofCase && !namedLanguage())
      loadTexts(ofCase).then(
        () => setLanguage(ofCase),
        () => undefined,
      );
  }, [info === null]);
  useManners(language, info, t, nameOf({ info, problem, desk }), progressOf(queue).fleeting > 0);

  const around = {
    // The shared parts use four texts, which this page has under the same keys.
    t: t as unknown as CallTranslate,
    language,
    setLanguage: (next: Language) => {
      loadTexts(next).then(
        () => {
          rememberLanguage(next);
          setLanguage(next);
        },
        () => undefined,
      );
    },
    info: info && ({ ...info, carId: null } as unknown as LinkInfo),
  };
  return (
    <Around.Provider value={around}>
      <Files.Provider value={{ t, language, info }}>
        <Boundary fallback={<Crash />}>
          <Shown info={info} problem={problem} desk={desk} refresh={refresh} />
          <Inputs desk={desk} />
        </Boundary>
        <div class="unseen" role="status">
          {said}
        </div>
      </Files.Provider>
    </Around.Provider>
  );
}
