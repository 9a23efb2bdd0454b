/** The few parts that every screen is made of. */
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { initials, useAround, whoOf } from './around';
import { Icon, type IconName } from './icons';
import type { Language } from './model';
import { dial, grouped } from './telephone';
import { LANGUAGES } from './words';

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

/** Whoever doubts the message calls the company back. */
function PhoneNumber() {
  const { t, info } = useAround();
  if (!info?.contactPhone) return null;
  const number = grouped(info.contactPhone);
  return (
    <a
      class="number n"
      href={dial(info.contactPhone)}
      aria-label={`${t('call_company', { company: info.company })}: ${number}`}
    >
      <bdi dir="ltr">{number}</bdi>
    </a>
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
            <PhoneNumber />
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
  if (!info?.expedientNumber) return null;
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
    const fit = () => {
      const element = place.current;
      element?.classList.toggle('sticky', element.offsetHeight < innerHeight * 0.33);
    };
    fit();
    // A phone that is turned has less height for the same buttons.
    addEventListener('resize', fit);
    return () => removeEventListener('resize', fit);
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

export function CallCompany({ kind }: { kind?: ButtonProps['kind'] }) {
  const { t, info } = useAround();
  if (!info?.contactPhone) return null;
  return (
    <Button icon="ring" kind={kind} href={dial(info.contactPhone)}>
      {t('call_company', { company: info.company })}
    </Button>
  );
}

/** Another day, for whoever cannot go on now. */
export function VisitButton({ send }: { send: (event: { type: 'VISIT' }) => void }) {
  const { t } = useAround();
  return (
    <Button kind="quiet" onClick={() => send({ type: 'VISIT' })}>
      {t('visit_go')}
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

export { Around, initials, Text, useAround, whoOf } from './around';
export { Icon, type IconName };
