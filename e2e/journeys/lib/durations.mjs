/** A reporter of Node's test runner: one line of JSON per finished test, which `run.mjs` counts and ranks. */
export default async function* durations(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite') continue;
    const [passed, skipped] = [type === 'test:pass', data.skip !== undefined];
    yield `${JSON.stringify({ name: data.name, passed, skipped, ms: Math.round(data.details.duration_ms) })}\n`;
  }
}
