import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { ConferenceDetails, Track } from '@/api/types';
import { answerCalls, logIn, renderPage, seriousFindings, setViewport } from '@/test/render';
import { useTexts } from '@/test/texts';
import { waitingDetails } from '@/test/waiting';
import { DetailsDrawer } from './DetailsDrawer';

const track = (seq: number, type: string, actor: string, data: Track['data'] = null) =>
  ({ _id: `t${seq}`, seq, at: `2026-11-05T11:4${seq}:12.000Z`, type, actor, data }) as Track;

const base = waitingDetails();
const details = {
  ...base,
  conference: {
    ...base.conference,
    duration: 284,
    sid: 'RM_1',
    closed: true,
    closedAt: '2026-11-05T11:47:00.000Z',
    observation: 'correct',
  },
  tracks: [
    track(0, 'CONFERENCE_CREATED', 'user:u1'),
    track(1, 'LINK_OPENED', 'client', { browser: 'Safari', os: 'iOS', ip: '192.0.2.140' }),
  ],
  positions: [{ at: '2026-11-05T11:42:14.000Z', latitude: 39.6791, longitude: -0.2786, accuracy: 8 }],
} as ConferenceDetails;

let asked: ReturnType<typeof answerCalls>;

beforeAll(() => useTexts());
beforeEach(async () => {
  setViewport(1440, 900);
  await logIn();
  asked = answerCalls((_method, path) => {
    if (path.endsWith('/conferences-details/conf1')) return { body: details };
    if (path.includes('/conference-media/conf1')) return { body: { conference: details.conference, media: [] } };
    if (path.endsWith('/get-links')) return { body: { mapTilesUrl: null } };
    return undefined;
  });
});

const open = async (conferenceId: string | null = 'conf1') => {
  await renderPage(<DetailsDrawer conferenceId={conferenceId} mayCall onClose={vi.fn()} />);
};
const tab = async (name: string) => userEvent.click(await screen.findByRole('tab', { name }));

it('shows the case, its duration and observation, its pictures, and what was sent', async () => {
  await open();
  const panel = await screen.findByRole('dialog');
  expect(await within(panel).findByText('284 s')).toBeTruthy();
  expect(within(panel).getByText('Correcta')).toBeTruthy();
  expect(within(panel).getByText('5 de noviembre de 2026 a las 12:39')).toBeTruthy();
  expect(within(panel).getByText('+34 612 ••• •78')).toBeTruthy();
  expect(within(panel).getByText('Enviado')).toBeTruthy();
  // A closed conference has no room to enter.
  expect(within(panel).queryByText('Entrar en la sala')).toBeNull();
  // Pictures come first in the panel; a glance at them leaves them new.
  const glances = asked.filter(({ path }) => path.includes('conference-media'));
  expect(glances.map(({ path }) => path)).toEqual([expect.stringMatching(/conference-media\/conf1\?peek=true$/)]);
  expect(await seriousFindings()).toEqual([]);
});

it('tells the timeline in words, with Madrid time and who did it', async () => {
  await open();
  await tab('Cronología');
  const opened = (await screen.findByText('Enlace abierto')).closest('li') as HTMLElement;
  expect(within(opened).getByText('12:41:12')).toBeTruthy();
  expect(within(opened).getByText('Safari · iOS · 192.0.2.140')).toBeTruthy();
  expect(within(opened).getByText('Carmen Ortega')).toBeTruthy();
  expect(screen.getByText('5 de noviembre de 2026')).toBeTruthy();
});

it('draws positions on an outline where there are no tiles, and says them as text', async () => {
  await open();
  await tab('Mapa');
  expect(await screen.findByRole('img', { name: 'Mapa de España con las posiciones del móvil' })).toBeTruthy();
  expect(screen.getByText('39.67910, -0.27860')).toBeTruthy();
  expect(screen.getByText('±8 m')).toBeTruthy();
});

// PLACE-1, PLACE-2
it('says beside each position what it means, and marks in amber what is far or in another province', async () => {
  const at = (minute: number, latitude: number, meaning: object) => ({
    at: `2026-11-05T11:4${minute}:14.000Z`,
    latitude,
    longitude: -0.2786,
    accuracy: 8,
    address: null,
    province: null,
    insuredProvince: 'Castellón',
    ...meaning,
  });
  const positions = [
    at(1, 39.6791, { verdict: 'near', distanceM: 120, address: 'Calle Mayor 3, Sagunto' }),
    at(2, 39.7791, { verdict: 'far', distanceM: 11_200 }),
    at(3, 39.8791, { verdict: 'otherProvince', distanceM: null, province: 'Valencia' }),
  ];
  answerCalls((_method, path) => {
    if (path.endsWith('/conferences-details/conf1')) return { body: { ...details, positions } };
    return path.endsWith('/get-links') ? { body: { mapTilesUrl: null } } : undefined;
  });
  await open();
  await tab('Mapa');
  const [near, far, other] = (await screen.findAllByRole('listitem')).map((item) => ({
    text: item.textContent ?? '',
    marked: item.querySelector('p svg') !== null,
  }));
  expect(near).toMatchObject({ text: expect.stringMatching(/Calle Mayor 3, Sagunto.*120/), marked: false });
  expect(far).toMatchObject({ text: expect.stringMatching(/11 km/), marked: true });
  expect(other).toMatchObject({ text: expect.stringMatching(/Valencia.*Castellón/), marked: true });
});

it('asks for the files, which marks them as seen, only in their tab', async () => {
  await open();
  await screen.findByText('284 s');
  expect(asked.some(({ path }) => path.endsWith('conference-media/conf1'))).toBe(false);
  await tab('Archivos');
  await screen.findByText('Esta conferencia no tiene archivos');
  await waitFor(() => expect(asked.filter(({ path }) => path.endsWith('conference-media/conf1'))).toHaveLength(1));
});

it('is closed without a conference', async () => {
  await open(null);
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('goes through the list by its arrows, by buttons and by the keyboard, and leaves tabs their own', async () => {
  const onGo = vi.fn();
  await renderPage(<DetailsDrawer conferenceId="conf1" mayCall onClose={vi.fn()} next="conf2" onGo={onGo} />);
  await screen.findByText('284 s');
  const previous = screen.getByRole('button', { name: 'Conferencia anterior de la lista' }) as HTMLButtonElement;
  expect(previous.disabled).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Conferencia siguiente de la lista' }));
  expect(onGo).toHaveBeenLastCalledWith('conf2');
  await userEvent.keyboard('{ArrowRight}');
  expect(onGo).toHaveBeenCalledTimes(2);
  await userEvent.keyboard('{ArrowLeft}');
  expect(onGo).toHaveBeenCalledTimes(2);
  await tab('Cronología');
  await userEvent.keyboard('{ArrowRight}');
  expect(onGo).toHaveBeenCalledTimes(2);
});

it('says who cancelled a call that the client never came to', async () => {
  const cancelled = {
    ...details,
    conference: { ...details.conference, sid: null, duration: null },
    tracks: [...details.tracks, track(2, 'CONFERENCE_CLOSED', 'user:u1')],
    people: [{ _id: 'u1', name: 'Nuria Ferrer' }],
  };
  answerCalls((_method, path) => (path.endsWith('/conferences-details/conf1') ? { body: cancelled } : undefined));
  await open();
  const label = await screen.findByText('Cancelada por');
  expect(label.nextElementSibling?.textContent).toBe('Nuria Ferrer');
});

it('says that the link expired where nobody cancelled the call', async () => {
  const expired = {
    ...details,
    conference: { ...details.conference, sid: null, duration: null },
    tracks: [...details.tracks, track(2, 'CONFERENCE_CLOSED', 'system')],
  };
  answerCalls((_method, path) => (path.endsWith('/conferences-details/conf1') ? { body: expired } : undefined));
  await open();
  expect(await screen.findByText('Enlace caducado')).toBeTruthy();
  expect(screen.queryByText('Cancelada por')).toBeNull();
});

it('shows the pictures first, before every tab', async () => {
  const media = [{ _id: 'm1', hash: 'h1', name: 'foto-001.jpg', type: 'PICTURE', expired: false }];
  answerCalls((_method, path) => {
    if (path.endsWith('/conferences-details/conf1')) return { body: details };
    return path.includes('/conference-media/conf1') ? { body: { conference: details.conference, media } } : undefined;
  });
  await open();
  const pictures = await screen.findByRole('region', { name: 'Fotos' });
  const tabs = screen.getByRole('tablist');
  expect(pictures.compareDocumentPosition(tabs) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
});

it('saves the photo report once there is a picture to print', async () => {
  const picture = (expired: boolean) => [{ _id: 'm1', hash: 'h1', name: 'foto-001.jpg', type: 'PICTURE', expired }];
  const withMedia = (media: object[]) => {
    asked = answerCalls((_method, path) => {
      if (path.endsWith('/conferences-details/conf1')) return { body: details };
      if (path.includes('/conference-media/conf1')) return { body: { conference: details.conference, media } };
      if (path.includes('/photo-report/conf1')) return { body: {} };
      return undefined;
    });
  };
  const button = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Informe fotográfico' });
  URL.createObjectURL = vi.fn(() => 'blob:x');
  URL.revokeObjectURL = vi.fn();
  withMedia(picture(true));
  const expired = await renderPage(<DetailsDrawer conferenceId="conf1" mayCall onClose={vi.fn()} />);
  await waitFor(() => expect(asked.some(({ path }) => path.includes('/conference-media/conf1'))).toBe(true));
  expect((await button()).disabled).toBe(true);
  expired.unmount();
  withMedia(picture(false));
  await open();
  await waitFor(async () => expect((await button()).disabled).toBe(false));
  await userEvent.click(await button());
  await waitFor(() => expect(asked.filter(({ path }) => path.includes('/photo-report/conf1'))).toHaveLength(1));
});
