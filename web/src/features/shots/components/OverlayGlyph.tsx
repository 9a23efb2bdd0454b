import type { ReactNode } from 'react';
import type { Overlay } from '../model';

/** How the outline of each kind lies in the picture, 44 × 32. */
const DRAWINGS: Record<Overlay, ReactNode> = {
  corner: (
    <>
      <path d="M7 22v-5l5-2 4-5h11l6 5 4 1v6Z" />
      <circle cx="14" cy="22" r="3" />
      <circle cx="30" cy="22" r="3" />
    </>
  ),
  plate: (
    <>
      <rect x="9" y="12" width="26" height="8" rx="1.5" />
      <path d="M13 12v8" />
    </>
  ),
  vin: <path d="M6 16h32M9 13v6M13 13v6M17 13v6M21 13v6M25 13v6M29 13v6M33 13v6" />,
  odometer: <path d="M11 23a11 11 0 1 1 22 0M22 23l5-7M17 26h10" />,
  near: (
    <>
      <circle cx="22" cy="16" r="10" />
      <path d="m17 18 4-4 2 3 4-4" />
    </>
  ),
  far: (
    <>
      <rect x="7" y="7" width="30" height="18" rx="2" />
      <circle cx="26" cy="18" r="3" />
    </>
  ),
  wide: <path d="M6 26V14l10-8 10 8v12M26 26V12l6-4 6 4v14M13 26v-7h6v7" />,
};

/** A small drawing of the outline; an empty frame for none. */
export function OverlayGlyph({ overlay }: { overlay: Overlay | null }) {
  return (
    <svg
      viewBox="0 0 44 32"
      width={44}
      height={32}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.4}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <rect x="0.7" y="0.7" width="42.6" height="30.6" rx="3" opacity="0.4" />
      {overlay && DRAWINGS[overlay]}
    </svg>
  );
}
