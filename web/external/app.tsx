/** The page: holds the machine, runs its effects, shows one screen. The call's code is another chunk. */
import { Component, type ComponentChildren, type ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { getLink } from './api';
import { type Browser, browserProblem, detectBrowser } from './browser';
import { runEffect, type World } from './effects';
import { loadTexts, markPage, rememberLanguage, spoken, startLanguage, type Translate, translate } from './i18n';
import { type Event, START, type State, step } from './machine';
import { recallKey, recallOutcomes } from './memory';
import type { Language } from './model';
import { Ended, Left, NO_UPLOADS, Resume, type UploadProgress } from './screens/after';
import { BrowserScreen } from './screens/browser';
import { Closed, Code, Expired, Loading, Offline, Unknown } from './screens/entry';
import { Declined, Notice } from './screens/notice';
import { PermissionStep } from './screens/permission';
import { Around, Button, CallCompany, Page, useAround } from './ui';

const loadCall = () => import('./call/CallScreen');
const loadCallScreen = () => loadCall().then((module) => module.CallScreen);
const loadVisit = () => import('./visit/VisitScreen').then((module) => module.VisitScreen);
const loadUploads = () => import('./call/uploads');

/** The hash of `/external/{hash}`; anything else in its place goes to the server unchanged, which answers "unknown". */
export function hashOf(path: string): string | null {
  return /^\/external\/([^/]+)\/?$/.exec(path)?.[1] ?? null;
}

function bootEvent(browser: Browser): Event {
  const hash = hashOf(location.pathname);
  const can = {
    devices: typeof navigator.mediaDevices?.getUserMedia === 'function',
    calls: typeof RTCPeerConnection !== 'undefined',
  };
  return {
    type: 'BOOT',
    hash,
    reason: new URLSearchParams(location.search).get('reason'),
    clientKey: hash ? recallKey(hash) : null,
    outcomes: hash ? recallOutcomes(hash) : null,
    browserProblem: browserProblem(browser, can),
  };
}

/** Called after the notice is on the screen, so that loading the call's code never delays it. */
function afterPaint(work: () => void): void {
  requestAnimationFrame(() => setTimeout(work, 50));
}

function useMachine(language: Language) {
  const [state, setState] = useState<State>(START);
  const live = useRef({ state: START, language });
  live.current.language = language;
  const send = useMemo(() => {
    const world: World = {
      state: () => live.current.state,
      language: () => live.current.language,
      preloadCall: () => afterPaint(() => loadCall().catch(() => undefined)),
      send: (event) => {
        const next = step(live.current.state, event);
        live.current.state = next.state;
        setState(next.state);
        for (const effect of next.effects) runEffect(world, effect);
      },
    };
    return world.send;
  }, []);
  return { state, send };
}

/** Photos still on the phone are sent whatever is on the screen. */
function useUploads(state: State): UploadProgress {
  const [progress, setProgress] = useState(NO_UPLOADS);
  const { hash, clientKey } = state;
  useEffect(() => {
    if (!hash || !clientKey) return;
    let stop = () => {};
    let gone = false;
    loadUploads()
      .then(({ uploads }) => {
        if (gone) return;
        uploads.start(hash, clientKey);
        stop = uploads.subscribe(setProgress);
      })
      .catch(() => undefined);
    return () => {
      gone = true;
      stop();
    };
  }, [hash, clientKey]);
  return progress;
}

export interface ScreenProps {
  state: State;
  send: (event: Event) => void;
  browser: Browser;
}

/** A screen once its code is loaded; loading is retried while the network is down. */
function Later({ load, ...props }: ScreenProps & { load: () => Promise<ComponentType<ScreenProps>> }) {
  const [Screen, setScreen] = useState<{ Show: ComponentType<ScreenProps> } | null>(null);
  const { t } = useAround();
  useEffect(() => {
    let gone = false;
    const begin = () =>
      load()
        .then((Show) => !gone && setScreen({ Show }))
        .catch(() => !gone && setTimeout(begin, 3000));
    void begin();
    return () => {
      gone = true;
    };
  }, []);
  if (!Screen) return <Page title={t('connecting')} busy />;
  return <Screen.Show {...props} />;
}

function Shown(props: ScreenProps & { uploads: UploadProgress }) {
  const { state, send, browser, uploads } = props;
  const { screen } = state;
  switch (screen.at) {
    case 'loading':
      return <Loading />;
    case 'offline':
      return <Offline send={send} />;
    case 'unknown':
      return <Unknown send={send} />;
    case 'code':
      return <Code error={screen.error} sending={screen.sending} send={send} />;
    case 'expired':
      return <Expired />;
    case 'closed':
      return <Closed />;
    case 'browser':
      return <BrowserScreen state={state} browser={browser} send={send} />;
    case 'notice':
      return <Notice screen={screen} read={state.read} send={send} />;
    case 'declined':
      return <Declined send={send} />;
    case 'permission':
      return <PermissionStep state={state} screen={screen} browser={browser} send={send} />;
    case 'resume':
      return <Resume opening={screen.opening} send={send} />;
    case 'call':
      return <Later key="call" load={loadCallScreen} {...props} />;
    case 'left':
      return <Left uploads={uploads} send={send} />;
    case 'ended':
      return <Ended uploads={uploads} />;
    case 'visit':
      return <Later key="visit" load={loadVisit} {...props} />;
  }
}

/** Identifies a screen: when it changes, the focus moves to the new title. */
function nameOf(state: State): string {
  const { screen } = state;
  if (screen.at !== 'permission') return screen.at;
  return `${screen.permission} ${screen.phase === 'asking' ? 'explain' : screen.phase}`;
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

function Crash() {
  const { t } = useAround();
  return (
    <Page
      title={t('crash_title')}
      icon="warn"
      tone="warn"
      actions={
        <>
          <Button kind="main" onClick={() => location.reload()}>
            {t('crash_go')}
          </Button>
          <CallCompany />
        </>
      }
    >
      <p class="t2">{t('crash_text')}</p>
    </Page>
  );
}

export function App() {
  const [language, setLanguage] = useState<Language>(() => spoken(startLanguage()));
  const browser = useMemo(() => detectBrowser(navigator.userAgent, navigator.maxTouchPoints), []);
  const { state, send } = useMachine(language);
  const uploads = useUploads(state);
  const started = useRef(false);

  useEffect(() => {
    send(bootEvent(browser));
    const online = () => send({ type: 'RETRY' });
    addEventListener('online', online);
    return () => removeEventListener('online', online);
  }, []);

  const screen = nameOf(state);
  useEffect(() => {
    if (!started.current) {
      started.current = true;
      return;
    }
    scrollTo(0, 0);
    document.querySelector('h1')?.focus({ preventScroll: true });
  }, [screen]);

  const t: Translate = (key, values) => translate(language, key, values);
  useLayoutEffect(() => markPage(language), [language]);
  useEffect(() => {
    document.title = state.info ? `${t('page_title')} · ${state.info.company}` : t('page_title');
  }, [language, state.info]);

  const change = async (next: Language) => {
    try {
      await loadTexts(next);
    } catch {
      return;
    }
    rememberLanguage(next);
    setLanguage(next);
    // The notice is a document of its own in each language.
    if (state.hash && state.info) {
      getLink(state.hash, next).then(
        (info) => send({ type: 'LOADED', info }),
        () => undefined,
      );
    }
  };

  return (
    <Around.Provider value={{ t, language, setLanguage: change, info: state.info }}>
      <Boundary fallback={<Crash />}>
        <Shown state={state} send={send} browser={browser} uploads={uploads} />
      </Boundary>
    </Around.Provider>
  );
}
