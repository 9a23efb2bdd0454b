/** The few parts that every screen is made of. */
import { createContext, type ComponentChildren } from 'preact';
import { useContext } from 'preact/hooks';
import { type Key, LANGUAGES, pieces, type Translate, type Values } from './i18n';
import type { Language, LinkInfo } from './model';

/** 20 px box, 1.6 px stroke; the project's own drawings (look/icons.svg). */
const ICONS = {
  x: 'M5 5l10 10M15 5L5 15',
  check: 'M4 10.5l4 4 8-9',
  camera: 'M3 6h3l1.5-2h5L14 6h3v10H3zM7 10.8a3 3 0 1 0 6 0 3 3 0 1 0-6 0',
  cameraOff: 'M3 6h3l1.5-2h5L14 6h3v10H3zM7 10.8a3 3 0 1 0 6 0 3 3 0 1 0-6 0M2.5 2.5l15 15',
  microphone: 'M10 2.500a2.700 2.700 0 0 0-2.700 2.700v3.600a2.700 2.700 0 0 0 5.400 0V5.200A2.700 2.700 0 0 0 10 2.500zM4.500 9.500a5.500 5.500 0 0 0 11 0M10 15v2.500',
  microphoneOff:
    'M10 2.500a2.700 2.700 0 0 0-2.700 2.700v3.600a2.700 2.700 0 0 0 5.400 0V5.200A2.700 2.700 0 0 0 10 2.500zM4.500 9.500a5.500 5.500 0 0 0 11 0M10 15v2.500M3 3l14 14',
  hang: 'M2.500 11.500c4-4 11-4 15 0l-1.800 2.300-3.200-1.200V10a9 9 0 0 0-5 0v2.600l-3.200 1.200z',
  torch: 'M6 2.500h8v3l-2 2.500v9.500H8V8L6 5.500zM10 10.500v2',
  flip: 'M3 8a7 7 0 0 1 12.500-2.500M17 12a7 7 0 0 1-12.500 2.500M15.800 2.500v3.300h-3.300M4.200 17.500v-3.300h3.300',
  geolocation: 'M10 17.500c-3.700-3.800-5.500-6.600-5.500-9a5.500 5.500 0 0 1 11 0c0 2.400-1.800 5.200-5.500 9zM8 8.500a2 2 0 1 0 4 0 2 2 0 1 0-4 0',
  lock: 'M6 9h8a2 2 0 0 1 2 2v4.500a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V11a2 2 0 0 1 2-2zM6.800 9V6.200a3.200 3.200 0 0 1 6.400 0V9',
  tune: 'M3 6.500h6M14 6.500h3M3 13.500h3M11 13.500h6M9.500 6.500a2.200 2.200 0 1 0 4.400 0 2.200 2.200 0 1 0-4.400 0M6.200 13.500a2.200 2.200 0 1 0 4.400 0 2.200 2.200 0 1 0-4.400 0',
  send: 'M3 10L17 3.500l-4.500 13L9.800 11z',
  chat: 'M3 4h14v10H10l-4 3v-3H3z',
  refresh: 'M16.500 10A6.500 6.500 0 1 1 14 4.900M16.800 3v3.500h-3.500',
  copy: 'M7 7h10v10H7zM13 7V3H3v10h4',
  external: 'M11.500 3.500h5v5M16.500 3.500L9 11M14 11.500v5H3.500V6h5',
  warn: 'M10 3l7.800 13.500H2.200zM10 8v4M10 14.200v.01',
  clock: 'M2.700 10a7.300 7.300 0 1 0 14.600 0 7.300 7.300 0 1 0-14.600 0M10 5.800V10l3 2',
  wifi: 'M2.500 8a11 11 0 0 1 15 0M5.200 11a7 7 0 0 1 9.600 0M10 14.500v.01',
  pause: 'M7 4.500v11M13 4.500v11',
  play: 'M6.500 4l9.500 6-9.500 6z',
  ring: 'M5.200 3.200l2.200 3.600-1.600 1.700a11 11 0 0 0 5.700 5.700l1.700-1.600 3.600 2.200c-.3 1.600-1.400 2.400-2.900 2.200C8.200 16.300 3.700 11.800 3 6.100 2.800 4.600 3.600 3.500 5.200 3.200z',
  link: 'M8.500 11.500l3-3M9 6l1.800-1.800a3.500 3.500 0 0 1 5 5L14 11M11 14l-1.800 1.800a3.500 3.500 0 0 1-5-5L6 9',
  sound: 'M3 8v4h2.500l4 3.500v-11L5.500 8zM12.500 7.500a3.600 3.600 0 0 1 0 5M14.800 5.200a6.800 6.800 0 0 1 0 9.600',
} as const;

export type IconName = keyof typeof ICONS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="i" viewBox="0 0 20 20" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

export interface Surroundings {
  t: Translate;
  language: Language;
  setLanguage: (language: Language) => void;
  info: LinkInfo | null;
}

export const Around = createContext<Surroundings | null>(null);

export function useAround(): Surroundings {
  const around = useContext(Around);
  if (!around) throw new Error('a screen is shown outside <Around>');
  return around;
}

/** A text with its `**bold**` and `[[key]]` marks drawn. */
export function Text({ k, values }: { k: Key; values?: Values }) {
  const { t } = useAround();
  return (
    <>
      {pieces(t(k, values)).map((piece, index) => {
        if (piece.kind === 'strong') return <b key={index}>{piece.text}</b>;
        if (piece.kind === 'key') return <kbd key={index}>{piece.text}</kbd>;
        return piece.text;
      })}
    </>
  );
}

export function initials(company: string): string {
  const words = company.split(/[\s,.]+/).filter((word) => /^\p{L}/u.test(word) && !/^(de|del|la|el|los|las|y|and|of|s|sa|sl|slu)$/i.test(word));
  return words.slice(0, 2).map((word) => word[0]?.toUpperCase()).join('') || '·';
}

/** How the adjuster is called in a sentence: the first name, else the company. */
export function whoOf(info: LinkInfo | null): string {
  return info?.adjuster?.trim().split(/\s+/)[0] || info?.company || '';
}

function LanguageSwitch() {
  const { t, language, setLanguage } = useAround();
  return (
    <select
      class="language"
      aria-label={t('language')}
      value={language}
      onChange={(event) => setLanguage(event.currentTarget.value as Language)}
    >
      {LANGUAGES.map(({ code, name }) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Company, person and case come before any question (look/LOOK.md, "The client's pages"). */
function Header() {
  const { info } = useAround();
  return (
    <header class="from">
      {info ? (
        <>
          <span class="av" aria-hidden="true">
            {initials(info.company)}
          </span>
          <div class="who">
            <b>{info.company}</b>
            {info.adjuster && <span>{info.adjuster}</span>}
          </div>
        </>
      ) : (
        <span class="grow" />
      )}
      <LanguageSwitch />
    </header>
  );
}

/** Case number and plate, small, under the header. */
export function CaseLine() {
  const { t, info } = useAround();
  if (!info) return null;
  return (
    <p class="case">
      {t('case')} <b class="n">{info.expedientNumber}</b>
      {info.carId && (
        <>
          {' · '}
          <span class="nw">
            {t('plate')} <b class="n">{info.carId}</b>
          </span>
        </>
      )}
    </p>
  );
}

interface PageProps {
  title: string;
  children?: ComponentChildren;
  /** Bottom of the screen, under the thumb. */
  actions?: ComponentChildren;
  icon?: IconName;
  tone?: 'warn' | 'ok' | 'plain';
  showCase?: boolean;
  busy?: boolean;
}

/** One thing per screen: a title, what it means, what to do. The title takes the focus when the screen changes. */
export function Page({ title, children, actions, icon, tone = 'plain', showCase = false, busy = false }: PageProps) {
  return (
    <div class="page">
      <Header />
      <main aria-busy={busy}>
        {showCase && <CaseLine />}
        {icon && (
          <span class={`badge ${tone}`}>
            <Icon name={icon} />
          </span>
        )}
        <h1 tabIndex={-1}>{title}</h1>
        {children}
      </main>
      {actions && <div class="actions">{actions}</div>}
    </div>
  );
}

interface ButtonProps {
  children: ComponentChildren;
  onClick?: () => void;
  kind?: 'main' | 'plain' | 'quiet' | 'bad';
  icon?: IconName;
  busy?: boolean;
  href?: string;
  submit?: boolean;
}

export function Button({ children, onClick, kind = 'plain', icon, busy = false, href, submit }: ButtonProps) {
  const inside = (
    <>
      {busy ? <span class="spin" aria-hidden="true" /> : icon && <Icon name={icon} />}
      <span>{children}</span>
    </>
  );
  if (href) {
    return (
      <a class={`b ${kind}`} href={href} onClick={onClick}>
        {inside}
      </a>
    );
  }
  return (
    <button class={`b ${kind}`} type={submit ? 'submit' : 'button'} aria-disabled={busy} onClick={busy ? undefined : onClick}>
      {inside}
    </button>
  );
}

export function CallCompany() {
  const { t, info } = useAround();
  if (!info?.contactPhone) return null;
  return (
    <Button icon="ring" href={`tel:${info.contactPhone.replace(/[^\d+]/g, '')}`}>
      {t('call_company', { company: info.company })}
    </Button>
  );
}

/** "Nuria knows what is happening": only shown when the report really arrived. */
export function Told({ told }: { told: boolean }) {
  const { t, info } = useAround();
  return (
    <div aria-live="polite">
      {told && (
        <p class="told">
          <i class="dot" />
          {t('told', { who: whoOf(info) })}
        </p>
      )}
    </div>
  );
}
