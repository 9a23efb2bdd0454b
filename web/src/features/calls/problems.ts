import { i18n, type T } from '@/shared/i18n';

/**
 * A reason code of the client's phone (CONTRACT: `problem`, `PERMISSION_DENIED`, `still-progress`) in plain words.
 * Unknown codes get the general sentence: a code is never shown.
 */
export function problemText(t: T, reason: string, client: string): { title: string; text: string } {
  const key = `call.problem_${reason.toLowerCase()}`;
  // Codes are known only at run time; `problems.test.ts` proves that ours have texts.
  const loose = t as unknown as (key: string, values: Record<string, string>) => string;
  const known = i18n.exists(key);
  return {
    title: known ? loose(key, { name: client }) : t('call.problem', { name: client }),
    text: i18n.exists(`${key}_text`) ? loose(`${key}_text`, { name: client }) : t('call.problemText'),
  };
}

/** Every code that the client's page is known to send; each has texts in `call.json` (tested). */
export const KNOWN_PROBLEMS = [
  'PHONE_CALL',
  'CAMERA_LOST',
  'MICROPHONE_LOST',
  'HIDDEN',
  'WAKE_LOCK',
  'TORCH_REFUSED',
  'CAMERA_SWITCH_FAILED',
  'CAMERA_DENIED',
  'CAMERA_NOT_FOUND',
  'CAMERA_IN_USE',
  'MICROPHONE_DENIED',
  'MICROPHONE_NOT_FOUND',
  'MICROPHONE_IN_USE',
  'PERMISSION_NO_ANSWER',
  'SKIPPED',
  'IN_APP_BROWSER',
] as const;

/** Why a still failed, in a few words for the strip. */
export function stillFailure(t: T, reason: string | null): string {
  const key = `call.still_${(reason ?? 'failed').toLowerCase()}`;
  return i18n.exists(key) ? (t as unknown as (key: string) => string)(key) : t('call.still_failed');
}

export const KNOWN_STILL_FAILURES = [
  'CAMERA_OFF',
  'DECLINED',
  'CAPTURE_FAILED',
  'NOT_A_PICTURE',
  'FILE_TOO_LARGE',
  'UPLOAD_FAILED',
  'NO_CLIENT',
  'CLIENT_LEFT',
  'STILL_SILENT',
  'SEND_FAILED',
] as const;
