/** Every address of the staff app; nothing else writes one. Source: SPEC §2 Route table, DESIGN §10. */
export const paths = {
  root: () => '/',
  login: () => '/login',
  home: () => '/home',
  newVideocall: () => '/vp-form',
  conference: (conferenceId: string) => `/conference/${encodeURIComponent(conferenceId)}`,
  conferenceMedia: (conferenceId: string) => `/conference-media/${encodeURIComponent(conferenceId)}`,
  messageService: () => '/message-service',
} as const;
