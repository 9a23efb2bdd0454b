import { limits } from '@/api/generated/limits';

/** The claims of the session token that the browser reads (CONTRACT "Authentication"). */
export interface Claims {
  sub: string;
  jti: string;
  role: number;
  parent: string | null;
  /** Seconds since the epoch. */
  exp: number;
  /** Random, the same over renewals: key material for the stored user and menu. */
  sk: string;
}

/** A token is renewed when it expires in under 900 seconds. */
export const RENEW_BEFORE_S = limits.tokenRenewalS;

/** Reads the claims without checking the signature (the server does). `null` when the token is malformed. */
export function readClaims(token: string | null): Claims | null {
  const body = token?.split('.').length === 3 ? token.split('.')[1] : undefined;
  if (!body) return null;
  try {
    const bytes = Uint8Array.from(atob(body.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isClaims(claims) ? claims : null;
  } catch {
    return null;
  }
}

function isClaims(value: unknown): value is Claims {
  if (typeof value !== 'object' || value === null) return false;
  const { sub, exp, sk } = value as Record<string, unknown>;
  return typeof sub === 'string' && typeof exp === 'number' && typeof sk === 'string' && sk.length > 0;
}

export const isExpired = (claims: Claims, nowMs: number) => claims.exp * 1000 <= nowMs;

export const needsRenewal = (claims: Claims, nowMs: number) => claims.exp * 1000 - nowMs < RENEW_BEFORE_S * 1000;
