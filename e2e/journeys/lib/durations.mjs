import { PAGE } from './pages.mjs';

/** What went wrong and where, on one line that is short enough for a summary. */
function reason(error) {
  const cause = error?.cause ?? error;
  const where = String(cause?.stack ?? '').match(/journeys\/((?!lib\/)\S+?:\d+)/)?.[1] ?? '';
  return `${where} ${cause?.message ?? cause}`.replace(/\s+/g, ' ').trim().slice(0, 600);
}

/** A reporter of Node's test runner: a line of JSON per finished test and per page of a failed one, for `run.mjs`. */
export default async function* durations(events) {
  for await (const { type, data } of events) {
    if (type === 'test:diagnostic' && data.message.startsWith(PAGE)) yield `${JSON.stringify({ page: data.message })}\n`;
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite') continue;
    const [passed, skipped] = [type === 'test:pass', data.skip !== undefined];
    const why = passed ? undefined : reason(data.details.error);
    yield `${JSON.stringify({ name: data.name, passed, skipped, why, ms: Math.round(data.details.duration_ms) })}\n`;
  }
}
