import { expect, it } from 'vitest';
import { AlarmRule } from './alarm-rule';

it('rings while somebody waits, and stops with the last one', () => {
  const rule = new AlarmRule();
  expect([0, 1, 2, 1, 0].map((waiting) => rule.state(waiting))).toEqual([
    'off',
    'ringing',
    'ringing',
    'ringing',
    'off',
  ]);
});

it('is silent for those who waited when it was muted', () => {
  const rule = new AlarmRule();
  rule.state(2);
  rule.mute(2);
  expect([rule.state(2), rule.state(1)]).toEqual(['silent', 'silent']);
  // One more than are muted: a request that was missed while offline.
  expect(rule.state(2)).toBe('ringing');
});

it('rings for a new one although another left in the same moment', () => {
  const rule = new AlarmRule();
  rule.mute(1);
  expect(rule.state(1)).toBe('silent');
  rule.arrived();
  expect(rule.state(1)).toBe('ringing');
});

it('goes on where it was before a reload', () => {
  const rule = new AlarmRule(2);
  expect(rule.state(2)).toBe('silent');
  expect(rule.remembered()).toBe(2);
  expect(rule.state(0)).toBe('off');
  expect(rule.remembered()).toBe(0);
});
