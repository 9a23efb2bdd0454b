/** What went wrong, short enough for a summary. */
const reason = (error) => String(error?.cause?.message ?? error?.message ?? error).slice(0, 600);

/** A reporter of Node's test runner: one line of JSON per finished test, which `run.mjs` counts and ranks. */
export default async function* durations(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite') continue;
    const [passed, skipped] = [type === 'test:pass', data.skip !== undefined];
    const why = passed ? undefined : reason(data.details.error);
    yield `${JSON.stringify({ name: data.name, passed, skipped, why, ms: Math.round(data.details.duration_ms) })}\n`;
  }
}
