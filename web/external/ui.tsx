/** The few parts that every screen is made of. */
import { type ComponentChildren, createContext } from 'preact';
import { useContext, useLayoutEffect, useRef } from 'preact/hooks';
import type { Key, Translate } from './i18n';
import { Icon, type IconName } from './icons';
import type { Language, LinkInfo } from './model';
import { LANGUAGES, pieces, type Values } from './words';

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

/** A text with its `**bold**` and `[[key]]` marks rendered. */
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
  const words = company
    .split(/[\s,.]+/)
    .filter((word) => /^\p{L}/u.test(word) && !/^(de|del|la|el|los|las|y|and|of|s|sa|sl|slu)$/i.test(word));
  return (
    words
      .slice(0, 2)
      .map((word) => word[0]?.toUpperCase())
      .join('') || '·'
  );
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

/** Company, person and case come before any question. */
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
            <b>
              <bdi>{info.company}</bdi>
            </b>
            {info.adjuster && (
              <span>
                <bdi>{info.adjuster}</bdi>
              </span>
            )}
          </div>
        </>
      ) : (
        <span class="grow" />
      )}
      <LanguageSwitch />
    </header>
  );
}

/** Numbers and plates are written from left to right in every language. */
const Fact = ({ label, value }: { label: string; value: string }) => (
  <span>
    {label}{' '}
    <b class="n">
      <bdi dir="ltr">{value}</bdi>
    </b>
  </span>
);

/** Case number and plate, small, under the header. */
export function CaseLine() {
  const { t, info } = useAround();
  if (!info) return null;
  return (
    <p class="case">
      <Fact label={t('case')} value={info.expedientNumber} />
      {info.carId && <Fact label={t('plate')} value={info.carId} />}
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
      {actions && <Actions>{actions}</Actions>}
    </div>
  );
}

/** Stays under the thumb, unless large text makes it so tall that it would cover what is to be read. */
function Actions({ children }: { children: ComponentChildren }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = place.current;
    element?.classList.toggle('sticky', element.offsetHeight < innerHeight * 0.33);
  });
  return (
    <div class="actions" ref={place}>
      {children}
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
    <button
      class={`b ${kind}`}
      type={submit ? 'submit' : 'button'}
      aria-disabled={busy}
      onClick={busy ? undefined : onClick}
    >
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

/** A repairer who came here from a request (`?from=request`). The way back is fixed, never taken from the address. */
export const isFromRequest = (search: string) => new URLSearchParams(search).get('from') === 'request';

/** The way back for whoever asked for this call on `/videocall-request`. */
export function BackToRequests() {
  const { t } = useAround();
  if (!isFromRequest(location.search)) return null;
  return <Button href="/videocall-request">{t('back_to_requests')}</Button>;
}

/** The end of a call's page: what else the person can do. */
export function Onward() {
  return (
    <>
      <BackToRequests />
      <CallCompany />
    </>
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

export { Icon, type IconName };
