import type { ReactNode } from 'react';
import { i18n, type T, useLanguage, useT } from '@/shared/i18n';
import { connectionNumbers, connectionText } from '@/shared/lib/connection';
import { longDateTime, madridClock, shortDateTime } from '@/shared/lib/dates';
import { clock } from '@/shared/lib/time';
import { trackText } from '@/shared/lib/tracks';
import { Fact } from '@/shared/ui/FactList';
import { Tag } from '@/shared/ui/Tag';
import type { Diagnostics } from '../types';
import classes from './drawer.module.css';

/** A text that the server names; its own word where the bundle has none. */
const named = (t: T, prefix: string, name: string): string => {
  const key = `incidences.${prefix}_${name.toLowerCase()}`;
  return i18n.exists(key) ? (t as unknown as (key: string) => string)(key) : name;
};

const seconds = (count: number | null | undefined) => (count == null ? '–' : clock(count * 1000));

/** What the server found out about the call by itself; others than administrators see the summary. Source: issue 7. */
export function DiagnosticsTab({ diagnostics: found }: { diagnostics: Diagnostics }) {
  const t = useT();
  const language = useLanguage();
  const { madeAt, conference, steps, network, connections, client, adjuster, sender, messages, presence, tracks } =
    found;
  return (
    <div className={classes.diagnostics}>
      <p className={classes.hint}>
        {t('incidences.diagnosticsText')} {madeAt && <span className="num">{longDateTime(madeAt, language)}</span>}
      </p>
      {conference && <Conference conference={conference} />}
      {steps.length > 0 && <Steps steps={steps} />}
      {network && <Network network={network} />}
      {connections.length > 0 && (
        <Part title={t('call.connections')}>
          {connections.map((one) => (
            <Fact
              key={`${one.kind}${one.nth}${one.at}`}
              name={`${named(t, 'side', one.kind)}${one.nth > 1 ? ` ${one.nth}` : ''}`}
            >
              {connectionText(t, one)} <span className="num">{connectionNumbers(one, language)}</span>{' '}
              <time className="num" dateTime={one.at}>
                {madridClock(one.at, language)}
              </time>
            </Fact>
          ))}
        </Part>
      )}
      {(client || adjuster) && (
        <Part title={t('incidences.browsers')}>
          <Browser title={t('incidences.browserClient')} facts={client} />
          <Browser title={t('incidences.browserAdjuster')} facts={adjuster} />
        </Part>
      )}
      {sender && (
        <Part title={t('incidences.sender')}>
          <Browser title={t('incidences.browser')} facts={sender.browser} />
          <Told facts={sender.told} />
          <Told facts={sender.network} />
        </Part>
      )}
      {messages.length > 0 && (
        <Part title={t('incidences.messages')}>
          {messages.map((message) => (
            <Fact key={message.createdAt} name={named(t, 'channel', message.channel)}>
              {[
                named(t, 'message', message.state),
                message.error,
                shortDateTime(message.sentAt ?? message.createdAt, language),
              ]
                .filter(Boolean)
                .join(' · ')}
            </Fact>
          ))}
        </Part>
      )}
      {presence.length > 0 && (
        <Part title={t('incidences.presence')}>
          {presence.map((stay) => (
            <Fact key={`${stay.kind}${stay.joinedAt}`} name={named(t, 'side', stay.kind)}>
              <span className="num">
                {madridClock(stay.joinedAt, language)} –{' '}
                {stay.leftAt ? madridClock(stay.leftAt, language) : t('incidences.now')}
              </span>
            </Fact>
          ))}
        </Part>
      )}
      {tracks.length > 0 && (
        <section className={classes.part}>
          <h3>{t('incidences.tracks', { count: tracks.length })}</h3>
          <ol className={classes.log}>
            {tracks.map((track) => (
              <li key={track.seq}>
                <time className="num" dateTime={track.at}>
                  {madridClock(track.at, language)}
                </time>
                <span className={classes.track}>
                  {trackText(t, { type: track.type as never, data: null, actor: track.actor })}
                  {track.detail && <small>{track.detail}</small>}
                </span>
                <span className={classes.who}>{named(t, 'side', track.actor)}</span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.part}>
      <h3>{title}</h3>
      <dl className={classes.rows}>{children}</dl>
    </section>
  );
}

function Conference({ conference }: { conference: NonNullable<Diagnostics['conference']> }) {
  const t = useT();
  const language = useLanguage();
  const { createdAt, closedAt, closed, duration, observation, pictures, videos, documents, positions } = conference;
  return (
    <Part title={t('incidences.conference')}>
      <Fact name={t('incidences.opened')}>
        <span className="num">{longDateTime(createdAt, language)}</span>
      </Fact>
      <Fact name={t('incidences.closed')}>
        <span className="num">
          {closedAt ? longDateTime(closedAt, language) : closed ? '–' : t('incidences.stillOpen')}
        </span>
      </Fact>
      <Fact name={t('incidences.duration')}>
        <span className="num">{seconds(duration)}</span>
      </Fact>
      <Fact name={t('incidences.observation')}>{named(t, 'observation', observation)}</Fact>
      <Fact name={t('incidences.collected')}>
        <span className="num">{t('incidences.collectedText', { pictures, videos, documents, positions })}</span>
      </Fact>
    </Part>
  );
}

const STEP_TONES: Record<string, 'ok' | 'bad' | 'warn' | 'quiet'> = { done: 'ok', failed: 'bad', active: 'warn' };

function Steps({ steps }: { steps: Diagnostics['steps'] }) {
  const t = useT();
  const language = useLanguage();
  return (
    <Part title={t('incidences.steps')}>
      {steps.map((step) => (
        <Fact key={step.step} name={named(t, 'step', step.step)}>
          <Tag tone={STEP_TONES[step.state] ?? 'quiet'}>{named(t, 'state', step.state)}</Tag>{' '}
          <span className="num">{step.at ? madridClock(step.at, language) : ''}</span>
          {step.reason && <code className={classes.code}>{step.reason}</code>}
        </Fact>
      ))}
    </Part>
  );
}

function Network({ network }: { network: NonNullable<Diagnostics['network']> }) {
  const t = useT();
  const side = ({ connections, disconnections, reconnections, connectedS }: typeof network.client) =>
    t('incidences.networkSide', { connections, disconnections, reconnections, time: seconds(connectedS) });
  return (
    <Part title={t('incidences.network')}>
      <Fact name={t('incidences.side_client')}>
        <span className="num">{side(network.client)}</span>
      </Fact>
      <Fact name={t('incidences.side_staff')}>
        <span className="num">{side(network.staff)}</span>
      </Fact>
      {network.problem && (
        <Fact name={t('incidences.problem')}>
          <code className={classes.code}>{network.problem}</code>
        </Fact>
      )}
    </Part>
  );
}

function Browser({ title, facts }: { title: string; facts: Diagnostics['client'] }) {
  if (!facts) return null;
  return (
    <Fact name={title}>
      {[facts.browser, facts.os].filter(Boolean).join(' · ')}
      {facts.userAgent && <code className={classes.code}>{facts.userAgent}</code>}
    </Fact>
  );
}

/** As the sender's page told it: names and values are the browser's. */
function Told({ facts }: { facts: unknown }) {
  const t = useT();
  return Object.entries((facts ?? {}) as Record<string, unknown>)
    .filter(([name]) => name !== 'userAgent')
    .map(([name, value]) => (
      <Fact key={name} name={named(t, 'told', name)}>
        <span className="num">
          {typeof value === 'boolean' ? (value ? t('common.yes') : t('common.no')) : String(value)}
        </span>
      </Fact>
    ));
}
