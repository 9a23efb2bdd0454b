// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import {
  chosenProcess,
  deadlineOf,
  endedText,
  fieldsText,
  isOverdue,
  isPastDeadline,
  jobOf,
  jobText,
  mayGenerate,
  nextTask,
  type Process,
  stepsOf,
  unsentOf,
} from './model';
import { october, september } from './testing';

beforeAll(() => useTexts());

const LEFT_OUT = { customerId: 'c7', company: 'Sur', code: 'CUSTOMER_INCOMPLETE', fields: ['cif'] };

it('shows the month of the address, else the newest with work, else the newest', () => {
  const both = [october, september];
  expect(chosenProcess(both, '2026-09')).toBe(september);
  expect(chosenProcess(both, '2020-01')).toBe(october);
  const done = { ...october, state: 'sent' } as Process;
  expect(chosenProcess([done, { ...september, state: 'pending' }])?.period).toBe('2026-09');
  expect(chosenProcess([done, september])).toBe(done);
  expect(chosenProcess([])).toBeUndefined();
});

// Art. 13 RD 1619/2012: before day 16 of the next month.
it.each([
  ['2026-10', '2026-11-15'],
  ['2026-12', '2027-01-15'],
])('the last day to issue %s is %s', (period, day) => {
  expect(deadlineOf({ period })).toBe(day);
});

it('ends with its day in Madrid', () => {
  expect(isPastDeadline({ period: '2026-10' }, Date.parse('2026-11-15T22:59:59Z'))).toBe(false);
  expect(isPastDeadline({ period: '2026-10' }, Date.parse('2026-11-15T23:00:00Z'))).toBe(true);
});

// RUN-10
it.each([
  ['pending, nothing known', { state: 'pending', toInvoice: 0 }, 'calculate'],
  ['calculated', {}, 'generate'],
  ['partly issued', { issued: 2, sent: 2 }, 'generate'],
  ['issued, not sent', { state: 'issued', issued: 4, sent: 0 }, 'send'],
  ['all sent, nothing collected', { state: 'sent', issued: 4, sent: 4, remitted: 3 }, 'collect'],
  ['all collected', { state: 'remitted', issued: 4, sent: 4, remitted: 4 }, null],
  ['nobody to invoice', { toInvoice: 0 }, null],
  ['one left out, nothing sent', { state: 'issued', issued: 4, sent: 0, errors: [LEFT_OUT] }, 'send'],
  ['one left out, all sent', { state: 'sent', issued: 4, sent: 4, remitted: 0, errors: [LEFT_OUT] }, 'collect'],
  [
    'one left out, all collected',
    { state: 'remitted', issued: 4, sent: 4, remitted: 4, errors: [LEFT_OUT] },
    'generate',
  ],
] as [string, Partial<Process>, string | null][])('%s: what comes next', (_what, change, task) => {
  const process: Process = { ...october, ...change };
  expect(nextTask(process, unsentOf([process]))).toBe(task);
});

it.each([
  ['pending, nothing known', { state: 'pending', toInvoice: 0 }, true],
  ['something calculated', {}, true],
  ['everything issued', { state: 'issued', issued: 4 }, false],
  ['everything issued, one left out, who may be mended', { state: 'issued', issued: 4, errors: [LEFT_OUT] }, true],
] as [string, Partial<Process>, boolean][])('%s: whether there may be something to issue', (_what, change, may) => {
  expect(mayGenerate({ ...october, ...change })).toBe(may);
});

it('is overdue once its day is over, as long as there may be something to issue', () => {
  const after = Date.parse('2026-11-15T23:00:00Z');
  expect(isOverdue(october, after)).toBe(true);
  expect(isOverdue({ ...october, state: 'pending', toInvoice: 0 }, after)).toBe(true);
  expect(isOverdue(october, after - 1)).toBe(false);
  expect(isOverdue({ ...october, state: 'issued', issued: 4 }, after)).toBe(false);
});

it('counts what is not sent over all months, never below nothing', () => {
  expect(unsentOf([october, september, { ...september, issued: 0, sent: 2 }])).toBe(1);
});

it('tells how far each step is', () => {
  expect(stepsOf(september).map(({ name, state, done, of }) => [name, state, done, of])).toEqual([
    ['calculated', 'done', null, 0],
    ['issued', 'done', 4, 4],
    ['sent', 'partly', 3, 4],
    ['remitted', 'waiting', 0, 4],
  ]);
  expect(stepsOf({ ...october, state: 'pending' })[0]?.state).toBe('waiting');
});

it('finds the job under way', () => {
  const job = { running: true, kind: 'issue', done: 3, of: 10 };
  expect(jobOf([october, { ...september, job }])).toEqual({ ...job, period: '2026-09' });
  expect(jobOf([{ ...october, job: { ...job, running: false } }])).toBeNull();
  expect(jobText(t, 'issue')).toBe('Expidiendo facturas');
  expect(jobText(t, 'brandNew')).toBe('Trabajando');
  expect(endedText(t, 'issue')).toBe('Facturas generadas');
  expect(endedText(t, 'pdf')).toBe('Proceso terminado');
});

it('names missing fields as the company form does', () => {
  expect(fieldsText(t, ['cif', 'address', 'bankAccount', 'unheardOf'])).toBe('NIF/CIF, Dirección, IBAN, unheardOf');
});
