/** A reporter of Node's test runner: one line of JSON for each test that ended, for `run.mjs` to count and to rank. */
export default async function* durations(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    if (data.details?.type === 'suite') continue;
    const [passed, skipped] = [type === 'test:pass', data.skip !== undefined];
    yield `${JSON.stringify({ name: data.name, passed, skipped, ms: Math.round(data.details.duration_ms) })}\n`;
  }
}
