/** Whether the phone reaches the relay (TURN-11), by each way that leads there. */
import type { Outcome } from './checks';

interface Relay {
  urls: string[];
  username: string;
  credential: string;
}

const API = '/api/v1/phone-checks';
/** For each way; a relay that is reached answers in two round trips. */
const WAIT_MS = 8000;

const wayOf = (url: string) => (url.startsWith('turns:') ? 'TLS' : /transport=tcp/.test(url) ? 'TCP' : 'UDP');

/** An address of the relay is given only to whoever has proved the credentials: both directions work. */
async function reaches(urls: string[], { username, credential }: Relay): Promise<boolean> {
  const iceServers = [{ urls, username, credential }];
  const connection = new RTCPeerConnection({ iceServers, iceTransportPolicy: 'relay' });
  try {
    connection.createDataChannel('check');
    const found = new Promise<boolean>((resolve) => {
      setTimeout(() => resolve(false), WAIT_MS);
      connection.onicecandidate = ({ candidate }) => {
        if (!candidate) resolve(false);
        else if (candidate.type === 'relay' || / typ relay/.test(candidate.candidate)) resolve(true);
      };
    });
    await connection.setLocalDescription(await connection.createOffer());
    return await found;
  } finally {
    connection.close();
  }
}

/** Tries each way apart; the detail names those that answer, or why nothing was tried. */
export async function relay(): Promise<Outcome> {
  const answer = await fetch(`${API}/relay`, { cache: 'no-store', credentials: 'omit' });
  if (!answer.ok) return { ok: false, detail: String(answer.status) };
  const told: { relay: Relay | null; reason: string | null } = await answer.json();
  if (!told.relay) return { ok: false, detail: told.reason ?? '' };
  const ways = new Map<string, string[]>();
  for (const url of told.relay.urls) ways.set(wayOf(url), [...(ways.get(wayOf(url)) ?? []), url]);
  const given = told.relay;
  const tried = await Promise.all([...ways].map(async ([way, urls]) => ((await reaches(urls, given)) ? way : null)));
  const answers = tried.filter((way) => way !== null);
  return { ok: answers.length > 0, detail: answers.length ? answers.join(' · ') : 'timeout' };
}

/** Sends what was found; answers the code by which support finds it, and until when it is kept. */
export async function sendResult(outcomes: object): Promise<{ code: string; keptUntil: string }> {
  const list = Object.entries(outcomes as Record<string, Outcome>).map(([check, { ok, detail }]) => ({
    check,
    ok,
    detail: detail.slice(0, 80),
  }));
  const answer = await fetch(API, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
    body: JSON.stringify({ outcomes: list }),
  });
  if (!answer.ok) throw new Error(String(answer.status));
  return answer.json();
}

/** `1234 5678`: as it is read out. */
export const spokenCode = (code: string): string => code.replace(/(\d{4})(?=\d)/g, '$1 ');
