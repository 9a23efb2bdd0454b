import type { ReactNode } from 'react';

// Drawn for Atalaya (look/icons.svg): 20 px box, strokes only, dots filled. Rendered by `Icon`.
export const icons = {
  tower: (
    <>
      <path d="M7.5 3.5h5M10 3.5v2M7 5.5h6l2.8 11.5h-3l-.9-3.8H8.1L7.2 17h-3z" />
      <circle fill="currentColor" stroke="none" cx="10" cy="9.6" r="1.5" />
    </>
  ),
  video: (
    <>
      <rect x="2.5" y="5" width="10.5" height="10" rx="2" />
      <path d="M13 9l4.5-2.6v7.2L13 11" />
    </>
  ),
  videoplus: (
    <>
      <rect x="2.5" y="5" width="10.5" height="10" rx="2" />
      <path d="M13 9l4.5-2.6v7.2L13 11M7.7 7.7v4.6M5.4 10h4.6" />
    </>
  ),
  ring: (
    <path d="M5.2 3.2l2.2 3.6-1.6 1.7a11 11 0 0 0 5.7 5.7l1.7-1.6 3.6 2.2c-.3 1.6-1.4 2.4-2.9 2.2C8.2 16.3 3.7 11.8 3 6.1 2.8 4.6 3.6 3.5 5.2 3.2zM12 3a5 5 0 0 1 5 5M12 6.2A1.9 1.9 0 0 1 13.8 8" />
  ),
  list: (
    <>
      <path d="M7 5h10.5M7 10h10.5M7 15h10.5" />
      <circle fill="currentColor" stroke="none" cx="3.5" cy="5" r="1.1" />
      <circle fill="currentColor" stroke="none" cx="3.5" cy="10" r="1.1" />
      <circle fill="currentColor" stroke="none" cx="3.5" cy="15" r="1.1" />
    </>
  ),
  flag: <path d="M4.5 17.5v-14M4.5 4.5h10.5l-2.2 3.5 2.2 3.5H4.5" />,
  users: (
    <>
      <circle cx="7.5" cy="7" r="3" />
      <path d="M2 16.5c.3-3.2 2.5-5 5.5-5s5.2 1.8 5.5 5M12.8 4.2a3 3 0 0 1 0 5.6M15 12.2c1.8.7 2.8 2.2 3 4.3" />
    </>
  ),
  user: (
    <>
      <circle cx="10" cy="6.8" r="3.3" />
      <path d="M3.5 17c.4-3.6 3-5.5 6.5-5.5s6.1 1.9 6.5 5.5" />
    </>
  ),
  userplus: (
    <>
      <circle cx="8.2" cy="6.8" r="3.2" />
      <path d="M2.2 17c.4-3.5 2.7-5.5 6-5.5 2 0 3.6.7 4.7 2M15.5 11.5v6M12.5 14.5h6" />
    </>
  ),
  invoice: <path d="M4.5 2.5h11v15l-2.2-1.5-2.2 1.5-2.2-1.5-2.2 1.5-2.2-1.5zM7.5 7h5M7.5 10.5h5" />,
  chart: <path d="M3 17h14M5 17v-5M10 17V4.5M15 17V9" />,
  gear: (
    <>
      <path d="M3 6h8M15 6h2M3 14h2M9 14h8" />
      <circle cx="13" cy="6" r="2" />
      <circle cx="7" cy="14" r="2" />
    </>
  ),
  key: (
    <>
      <circle cx="6.5" cy="13.5" r="3.5" />
      <path d="M9 11l7.5-7.5M13 7l2.5 2.5" />
    </>
  ),
  lock: (
    <>
      <rect x="4" y="9" width="12" height="8.5" rx="2" />
      <path d="M6.8 9V6.2a3.2 3.2 0 0 1 6.4 0V9" />
    </>
  ),
  bld: <path d="M4 17.5v-14h8v14M12 8h4v9.5M2.5 17.5h15M7 7h2M7 10.5h2M7 14h2" />,
  sms: <path d="M3 4.5h14v9.5H9l-4 3v-3H3zM6.5 8h7M6.5 10.8h4.5" />,
  mail: (
    <>
      <rect x="2.5" y="4.5" width="15" height="11" rx="1.5" />
      <path d="M3 6l7 5 7-5" />
    </>
  ),
  code: <path d="M7 6l-4 4 4 4M13 6l4 4-4 4M11.2 4.5l-2.4 11" />,
  spark: <path d="M3 8.5v3h2.5l6 4V4.5l-6 4zM14.5 7.5a3.6 3.6 0 0 1 0 5" />,
  cookie: (
    <>
      <circle cx="10" cy="10" r="7.3" />
      <circle fill="currentColor" stroke="none" cx="7.5" cy="8" r="1" />
      <circle fill="currentColor" stroke="none" cx="12.5" cy="9" r="1" />
      <circle fill="currentColor" stroke="none" cx="9" cy="12.8" r="1" />
    </>
  ),
  out: <path d="M8 3H3.5v14H8M12.5 6.5L16 10l-3.5 3.5M16 10H7.5" />,
  bell: <path d="M5 14V9a5 5 0 0 1 10 0v5l1.3 1.5H3.7zM8.3 17.5h3.4" />,
  x: <path d="M5 5l10 10M15 5L5 15" />,
  check: <path d="M4 10.5l4 4 8-9" />,
  plus: <path d="M10 4v12M4 10h12" />,
  minus: <path d="M4 10h12" />,
  down: <path d="M5.5 8l4.5 4.5L14.5 8" />,
  right: <path d="M8 5.5l4.5 4.5L8 14.5" />,
  left: <path d="M12 5.5L7.5 10l4.5 4.5" />,
  up: <path d="M5.5 12L10 7.5l4.5 4.5" />,
  search: (
    <>
      <circle cx="9" cy="9" r="5.5" />
      <path d="M13.2 13.2L17 17" />
    </>
  ),
  cal: (
    <>
      <rect x="3" y="4.5" width="14" height="12.5" rx="1.5" />
      <path d="M3 8.5h14M7 2.8v3M13 2.8v3" />
    </>
  ),
  cols: (
    <>
      <rect x="3" y="4" width="14" height="12" rx="1.5" />
      <path d="M8 4v12M12.5 4v12" />
    </>
  ),
  filter: <path d="M3 5h14M5.5 10h9M8 15h4" />,
  dl: <path d="M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13" />,
  ul: <path d="M10 13V3.5M6 7.2l4-4 4 4M3.5 16.5h13" />,
  eye: (
    <>
      <path d="M2 10c2-3.6 4.7-5.5 8-5.5s6 1.9 8 5.5c-2 3.6-4.7 5.5-8 5.5S4 13.6 2 10z" />
      <circle cx="10" cy="10" r="2.4" />
    </>
  ),
  img: (
    <>
      <rect x="2.5" y="4" width="15" height="12" rx="1.5" />
      <path d="M2.8 14l4.2-4 3.2 3 2.3-2 4.7 4" />
      <circle cx="13" cy="7.7" r="1.3" />
    </>
  ),
  cam: (
    <>
      <path d="M3 6h3l1.5-2h5L14 6h3v10H3z" />
      <circle cx="10" cy="10.8" r="3" />
    </>
  ),
  camoff: (
    <>
      <path d="M3 6h3l1.5-2h5L14 6h3v10H3z" />
      <circle cx="10" cy="10.8" r="3" />
      <path d="M2.5 2.5l15 15" />
    </>
  ),
  doc: <path d="M5 2.5h6.5L15.5 6.5v11H5zM11.5 2.5v4h4M7.5 10.5h5M7.5 13.5h5" />,
  seal: <path d="M10 2.5l6 2.2v5c0 3.7-2.4 6.3-6 7.8-3.6-1.5-6-4.1-6-7.8v-5zM7.2 10l2 2 3.6-4" />,
  send: <path d="M3 10L17 3.5l-4.5 13L9.8 11z" />,
  clip: <path d="M15.5 9.5l-6 6a3.6 3.6 0 0 1-5-5l6.5-6.5a2.5 2.5 0 0 1 3.5 3.5L8 14" />,
  mic: (
    <>
      <rect x="7.3" y="2.5" width="5.4" height="9" rx="2.7" />
      <path d="M4.5 9.5a5.5 5.5 0 0 0 11 0M10 15v2.5" />
    </>
  ),
  micoff: (
    <>
      <rect x="7.3" y="2.5" width="5.4" height="9" rx="2.7" />
      <path d="M4.5 9.5a5.5 5.5 0 0 0 11 0M10 15v2.5M3 3l14 14" />
    </>
  ),
  hang: <path d="M2.5 11.5c4-4 11-4 15 0l-1.8 2.3-3.2-1.2V10a9 9 0 0 0-5 0v2.6l-3.2 1.2z" />,
  torch: <path d="M6 2.5h8v3l-2 2.5v9.5H8V8L6 5.5zM10 10.5v2" />,
  swap: <path d="M3 8a7 7 0 0 1 12.5-2.5M17 12a7 7 0 0 1-12.5 2.5M15.8 2.5v3.3h-3.3M4.2 17.5v-3.3h3.3" />,
  rec: (
    <>
      <circle cx="10" cy="10" r="7" />
      <circle fill="currentColor" stroke="none" cx="10" cy="10" r="3.6" />
    </>
  ),
  pause: <path d="M7 4.5v11M13 4.5v11" />,
  stop: <rect x="5" y="5" width="10" height="10" rx="1" />,
  play: <path d="M6.5 4l9.5 6-9.5 6z" />,
  pin: (
    <>
      <path d="M10 17.5c-3.7-3.8-5.5-6.6-5.5-9a5.5 5.5 0 0 1 11 0c0 2.4-1.8 5.2-5.5 9z" />
      <circle cx="10" cy="8.5" r="2" />
    </>
  ),
  point: (
    <>
      <circle cx="10" cy="10" r="2.2" />
      <path d="M10 2.5V5M10 15v2.5M2.5 10H5M15 10h2.5" />
    </>
  ),
  pen: <path d="M3.5 16.5l1-4L13.5 3.5l3 3-9 9zM11.5 5.5l3 3" />,
  arrow: <path d="M4 16L16 4M8.5 4H16v7.5" />,
  circ: <circle cx="10" cy="10" r="6.5" />,
  rul: <path d="M2.5 13.5l11-11 4 4-11 11zM6 10l1.5 1.5M8.5 7.5L11 10M11.5 5l1.5 1.5" />,
  undo: <path d="M7 4L3.5 7.5 7 11M3.5 7.5H12a4.5 4.5 0 0 1 0 9H8" />,
  redo: <path d="M13 4l3.5 3.5L13 11M16.5 7.5H8a4.5 4.5 0 0 0 0 9h4" />,
  ruler: <path d="M2.8 13.2L13.2 2.8l4 4L6.8 17.2zM5.6 10.4l1.6 1.6M8.2 7.8l2.4 2.4M10.8 5.2l1.6 1.6" />,
  marked: <path d="M10 3v7.5M6.8 7.7L10 10.9l3.2-3.2M3.5 13.5c2.2-1.6 3.6 1.6 5.8 0s3.6 1.6 7.2 0M3.5 17h13" />,
  letter: <path d="M4.5 6V4h11v2M10 4v12M7.5 16h5" />,
  number: (
    <>
      <circle cx="10" cy="10" r="7" />
      <path d="M8.3 8.2L10.3 6.8v6.4" />
    </>
  ),
  freeze: <path d="M10 2.5v15M3.5 6.25l13 7.5M16.5 6.25l-13 7.5M10 6L8 4.3M10 6l2-1.7M10 14l-2 1.7M10 14l2 1.7" />,
  share: (
    <>
      <rect x="2.5" y="4" width="15" height="10" rx="1.5" />
      <path d="M7 17h6M10 11.5v-5M7.8 8.5L10 6.3l2.2 2.2" />
    </>
  ),
  net: <path d="M3.5 16v-2.5M8 16v-5.5M12.5 16V7M17 16V3.5" />,
  zoom: (
    <>
      <circle cx="9" cy="9" r="5.5" />
      <path d="M13.2 13.2L17 17M9 6.8v4.4M6.8 9h4.4" />
    </>
  ),
  laser: (
    <path d="M8.2 8.2l9.3 3.5-4.1 1.7-1.7 4.1zM6.8 2v2M2 6.8h2M3.4 3.4l1.4 1.4M10.2 3.4L8.8 4.8M3.4 10.2l1.4-1.4" />
  ),
  full: <path d="M3.5 7.5v-4h4M16.5 7.5v-4h-4M3.5 12.5v4h4M16.5 12.5v4h-4" />,
  dots: (
    <>
      <circle fill="currentColor" stroke="none" cx="4.5" cy="10" r="1.5" />
      <circle fill="currentColor" stroke="none" cx="10" cy="10" r="1.5" />
      <circle fill="currentColor" stroke="none" cx="15.5" cy="10" r="1.5" />
    </>
  ),
  menu: <path d="M3 5.5h14M3 10h14M3 14.5h14" />,
  side: (
    <>
      <rect x="2.5" y="3.5" width="15" height="13" rx="2" />
      <path d="M7.5 3.5v13M13 8l-2 2 2 2" />
    </>
  ),
  sun: (
    <>
      <circle cx="10" cy="10" r="3.3" />
      <path d="M10 2.5v1.8M10 15.7v1.8M2.5 10h1.8M15.7 10h1.8M4.7 4.7L6 6M14 14l1.3 1.3M15.3 4.7L14 6M6 14l-1.3 1.3" />
    </>
  ),
  warn: (
    <>
      <path d="M10 3l7.8 13.5H2.2zM10 8v4" />
      <circle fill="currentColor" stroke="none" cx="10" cy="14.2" r="1" />
    </>
  ),
  info: (
    <>
      <circle cx="10" cy="10" r="7.3" />
      <path d="M10 9.3V14" />
      <circle fill="currentColor" stroke="none" cx="10" cy="6.5" r="1.1" />
    </>
  ),
  clock: (
    <>
      <circle cx="10" cy="10" r="7.3" />
      <path d="M10 5.8V10l3 2" />
    </>
  ),
  phone: (
    <>
      <rect x="5.5" y="2" width="9" height="16" rx="2" />
      <path d="M9 15.3h2" />
    </>
  ),
  car: (
    <>
      <path d="M2.5 14V10.5L4.5 9l1.8-3.8h7.2L15.5 9l2 1.5V14zM4.5 9h11" />
      <circle cx="6" cy="14" r="1.6" />
      <circle cx="14" cy="14" r="1.6" />
    </>
  ),
  home: <path d="M3 9.5L10 3.5l7 6M5 8v8.5h10V8M8.5 16.5V12h3v4.5" />,
  copy: (
    <>
      <rect x="7" y="7" width="10" height="10" rx="1.5" />
      <path d="M13 7V3H3v10h4" />
    </>
  ),
  link: <path d="M8.5 11.5l3-3M9 6l1.8-1.8a3.5 3.5 0 0 1 5 5L14 11M11 14l-1.8 1.8a3.5 3.5 0 0 1-5-5L6 9" />,
  ext: <path d="M11.5 3.5h5v5M16.5 3.5L9 11M14 11.5v5H3.5V6h5" />,
  wifi: (
    <>
      <path d="M2.5 8a11 11 0 0 1 15 0M5.2 11a7 7 0 0 1 9.6 0" />
      <circle fill="currentColor" stroke="none" cx="10" cy="14.5" r="1.5" />
    </>
  ),
  bolt: <path d="M11 2.5L4.5 11.5H9l-.8 6 6.8-9.5h-4.6z" />,
  mute: <path d="M3 8v4h2.5l4 3.5v-11L5.5 8zM13 8l4 4M17 8l-4 4" />,
  vol: <path d="M3 8v4h2.5l4 3.5v-11L5.5 8zM12.5 7.5a3.6 3.6 0 0 1 0 5M14.8 5.2a6.8 6.8 0 0 1 0 9.6" />,
  sort: <path d="M10 4.5v11M6 11.5l4 4 4-4" />,
  rotate: <path d="M13 3l3 2.6-3 2.6M15.8 5.6H9A5.5 5.5 0 1 0 14.5 11" />,
  refresh: <path d="M16.5 10A6.5 6.5 0 1 1 14 4.9M16.8 3v3.5h-3.5" />,
  euro: <path d="M15.5 5a6.3 6.3 0 1 0 0 10M2.5 8.5h9M2.5 11.5h8" />,
  pan: <path d="M10 3v14M3 10h14M8 5l2-2 2 2M8 15l2 2 2-2M5 8l-2 2 2 2M15 8l2 2-2 2" />,
  shots: <path d="M3 7V4h3M14 4h3v3M17 13v3h-3M6 16H3v-3M7 10.3l2.2 2.2L13.5 8" />,
  chat: <path d="M3 4h14v10H10l-4 3v-3H3z" />,
  globe: (
    <>
      <circle cx="10" cy="10" r="7.3" />
      <path d="M2.7 10h14.6M10 2.7c4 4.5 4 10.1 0 14.6-4-4.5-4-10.1 0-14.6z" />
    </>
  ),
  hash: <path d="M7.5 3L6 17M14 3l-1.5 14M3.5 7.5h13.5M3 12.5h13.5" />,
  qr: (
    <path d="M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM11.5 11.5h1.800v1.800M16.500 11.500v2M11.500 16.500h2M14.500 14.300h2v2.200" />
  ),
  trash: <path d="M3.5 5.5h13M8 5.5V3h4v2.5M5 5.5l.8 12h8.4l.8-12M8.3 9v5M11.7 9v5" />,
} satisfies Record<string, ReactNode>;

export type IconName = keyof typeof icons;
