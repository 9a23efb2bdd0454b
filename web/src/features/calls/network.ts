import type { Verdict } from '@/rtc';
import type { T } from '@/shared/i18n';

/** `Red de Carmen: justa`, `Su red: buena`. */
export function networkLabel(t: T, verdict: Verdict | null, client: string): string {
  if (!verdict) return t('call.netMeasuring');
  const mine = verdict.side === 'me';
  switch (verdict.level) {
    case 'good':
      return mine ? t('call.netMineGood') : t('call.netTheirsGood', { name: client });
    case 'fair':
      return mine ? t('call.netMineFair') : t('call.netTheirsFair', { name: client });
    case 'poor':
      return mine ? t('call.netMinePoor') : t('call.netTheirsPoor', { name: client });
    case 'lost':
      return mine ? t('call.netMineLost') : t('call.netTheirsLost', { name: client });
  }
}

/** What to do about it; for a good network that all is well. */
export function networkAdvice(t: T, verdict: Verdict | null, client: string): string {
  if (!verdict) return t('call.netMeasuringText');
  if (verdict.level === 'good') return t('call.netGoodText');
  if (verdict.side === 'me') return verdict.level === 'lost' ? t('call.netMineLostText') : t('call.netMineText');
  if (verdict.level === 'lost') return t('call.netTheirsLostText', { name: client });
  return verdict.level === 'poor'
    ? t('call.netTheirsPoorText', { name: client })
    : t('call.netTheirsText', { name: client });
}

/** The plate over the picture: only when something is wrong, naming the side at fault. */
export function networkBanner(t: T, verdict: Verdict | null, client: string): string | null {
  if (!verdict || verdict.level === 'good' || verdict.level === 'lost') return null;
  if (verdict.side === 'me') return t('call.bannerMine');
  if (verdict.voiceOnly) return t('call.bannerVoiceOnly', { name: client });
  if (verdict.voiceBroken) return t('call.bannerVoiceBroken', { name: client });
  return verdict.height === null
    ? t('call.bannerFairPlain', { name: client })
    : t('call.bannerFair', { name: client, height: verdict.height });
}
