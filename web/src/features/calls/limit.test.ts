import { expect, it } from 'vitest';
import { limitState } from './limit';

const billing = { minuteLimit: 10, exceededMinute: 0.35 };
const at = (minutes: number, seconds = 0) => limitState(billing, (minutes * 60 + seconds) * 1000);

it.each([
  [0, 1, null],
  [7, 59, null],
  [8, 0, { name: 'near', left: 2 }],
  [9, 0, { name: 'near', left: 1 }],
  [9, 59, { name: 'near', left: 1 }],
  [10, 0, { name: 'near', left: 1 }],
  [10, 1, { name: 'over', exceeded: 1, cost: 0.35 }],
  [11, 0, { name: 'over', exceeded: 1, cost: 0.35 }],
  [12, 1, { name: 'over', exceeded: 3, cost: 1.05 }],
])('after %i:%i', (minutes, seconds, state) => {
  expect(at(minutes, seconds)).toEqual(state);
});

it.each([
  ['no limit', { minuteLimit: null, exceededMinute: 0.35 }],
  ['extra minutes that cost nothing', { minuteLimit: 10, exceededMinute: 0 }],
  ['prices that are not known', null],
  ['prices that the server did not send', undefined],
])('says nothing with %s', (_what, prices) => {
  expect(limitState(prices, 3_600_000)).toBeNull();
});
