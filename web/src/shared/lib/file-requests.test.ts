import { describe, expect, it } from 'vitest';
import { daysLeft, requestFilesInput, requestWindowEnd, showsRequestFiles } from './file-requests';

const facts = { duration: 23, mayRequestFiles: true, mediaExpired: false };

describe('request-files button', () => {
  it.each([
    [21, false],
    [22, false],
    [23, true],
    [null, false],
  ])('duration %s s: %s', (duration, shown) => {
    expect(showsRequestFiles({ ...facts, duration })).toBe(shown);
  });

  it('needs the right to ask and files that have not expired', () => {
    expect(showsRequestFiles({ ...facts, mayRequestFiles: false })).toBe(false);
    expect(showsRequestFiles({ ...facts, mayRequestFiles: undefined })).toBe(false);
    expect(showsRequestFiles({ ...facts, mediaExpired: true })).toBe(false);
  });
});

describe('window', () => {
  const row = {
    _id: 'c1',
    expedientNumber: '2026-1',
    phoneNumber: '+34600123123',
    filesRequested: false,
    createdAt: '2026-11-19T10:00:00.000Z',
    mediaRequestExpired: null,
  };

  it('ends 30 days after the conference, or when its own date says', () => {
    expect(requestWindowEnd(requestFilesInput(row))).toBe('2026-12-19T10:00:00.000Z');
    const own = requestFilesInput({ ...row, mediaRequestExpired: '2027-01-05T00:00:00.000Z' });
    expect(requestWindowEnd(own)).toBe('2027-01-05T00:00:00.000Z');
    expect(requestWindowEnd({ ...requestFilesInput(row), createdAt: undefined })).toBeNull();
  });

  it('counts whole days', () => {
    const end = '2026-12-19T10:00:00.000Z';
    expect(daysLeft(end, Date.parse('2026-12-18T10:00:00.000Z'))).toBe(1);
    expect(daysLeft(end, Date.parse('2026-12-18T10:00:01.000Z'))).toBe(0);
    expect(daysLeft(end, Date.parse('2027-01-01T00:00:00.000Z'))).toBe(0);
  });
});
