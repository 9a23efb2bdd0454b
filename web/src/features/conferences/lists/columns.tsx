import type { ConferenceRow } from '@/api/types';
import type { ConferenceType } from '@/shared/conference/find';
import type { T } from '@/shared/i18n';
import { observationText, placeText } from '@/shared/lib/conferences';
import { shortDateTime } from '@/shared/lib/dates';
import { formatPhone } from '@/shared/lib/phone';
import { CaseNumber } from '@/shared/ui/CaseNumber';
import { FilesTag, StateTag } from '@/shared/ui/ConferenceTags';
import type { ListColumn } from '@/shared/ui/DataList';
import { Plate } from '@/shared/ui/Plate';
import classes from '../pages/ConferencesPage.module.css';

const num = (text: string | number | null | undefined) => <span className="num">{text ?? '–'}</span>;

/** What may be cut; the whole text when one points at it. */
const Clip = ({ text }: { text: string }) => (
  <span className={classes.clip} title={text}>
    {text}
  </span>
);

const DERIVED = ['browser', 'os', 'observations', 'geolocation', 'pictures', 'videos'];
/** What the server does not tell the repair side. */
const OF_THE_CLIENT = ['contactPerson', 'phoneNumber', 'address'];

/**
 * The columns of a list, each with what its value means. The sort fields are the wire's names; the last ones are the
 * administrator's, who makes room for them: what a row's panel says anyway is off.
 */
export function columnsOf(
  t: T,
  language: string,
  type: ConferenceType,
  admin: boolean,
  repair = false,
): ListColumn<ConferenceRow>[] {
  const columns: ListColumn<ConferenceRow>[] = [
    {
      key: 'createdAt',
      title: t('conferences.date'),
      help: t('conferences.helpDate'),
      render: (row) => num(shortDateTime(row.createdAt, language)),
      sort: true,
    },
    {
      key: 'expedientNumber',
      title: t('conferences.expedient'),
      help: t('conferences.helpExpedient'),
      render: (row) => (
        <b className={classes.expedient}>
          <CaseNumber number={row.expedientNumber} />
        </b>
      ),
      whole: (row) => row.expedientNumber,
      sort: true,
      fixed: true,
    },
    // Beside the number, so that the row's buttons never lie over it.
    {
      key: 'carId',
      title: t('conferences.plate'),
      help: t('conferences.helpPlate'),
      render: (row) => <Plate plate={row.carId} />,
      whole: (row) => row.carId,
      sort: true,
    },
    // What becomes of it, too: what the buttons may lie over at the right are facts of the panel.
    {
      key: 'duration',
      title: t('conferences.duration'),
      help: t('conferences.helpDuration'),
      render: (row) => <StateTag row={row} />,
      sort: true,
    },
    {
      key: 'files',
      title: t('conferences.files'),
      help: t('conferences.helpFiles'),
      render: (row) => <FilesTag row={row} />,
    },
    {
      key: 'customerName',
      title: t('conferences.customer'),
      help: t('conferences.helpCustomer'),
      render: (row) => <Clip text={row.customerName} />,
      sort: true,
      // The repair side asks several firms.
      off: !admin && !repair,
    },
    {
      key: 'userName',
      title: t('conferences.user'),
      help: t('conferences.helpUser'),
      render: (row) => <Clip text={row.userName} />,
      sort: true,
      off: admin,
    },
    {
      key: 'contactPerson',
      title: t('conferences.contact'),
      help: t('conferences.helpContact'),
      render: (row) => row.contactPerson || '–',
      off: true,
    },
    {
      key: 'phoneNumber',
      title: t('conferences.phone'),
      help: t('conferences.helpPhone'),
      render: (row) => num(row.phoneNumber && formatPhone(row.phoneNumber)),
      sort: true,
      off: admin,
    },
    {
      key: 'address',
      title: t('conferences.address'),
      help: t('conferences.helpAddress'),
      render: (row) => <Clip text={placeText(row) || '–'} />,
      off: admin || 'compact',
    },
    {
      key: 'browser',
      title: t('conferences.browser'),
      help: t('conferences.helpBrowser'),
      render: ({ derived }) => derived?.browser ?? '–',
    },
    {
      key: 'os',
      title: t('conferences.os'),
      help: t('conferences.helpOs'),
      render: ({ derived }) => derived?.os ?? '–',
    },
    {
      key: 'observations',
      title: t('conferences.observations'),
      help: t('conferences.helpObservations'),
      render: ({ derived }) => (derived ? observationText(t, derived.observations) : '–'),
    },
    {
      key: 'geolocation',
      title: t('conferences.geo'),
      help: t('conferences.helpGeo'),
      render: ({ derived }) => (derived?.geolocation ? t('conferences.yes') : t('conferences.no')),
    },
    {
      key: 'pictures',
      title: t('conferences.pictures'),
      help: t('conferences.helpPictures'),
      render: ({ derived }) => num(derived?.pictures),
      right: true,
    },
    {
      key: 'videos',
      title: t('conferences.videos'),
      help: t('conferences.helpVideos'),
      render: ({ derived }) => num(derived?.videos),
      right: true,
    },
  ];
  return columns
    .filter(({ key }) => (admin || !DERIVED.includes(key)) && (type === 'autos' || key !== 'carId'))
    .filter(({ key }) => !repair || !OF_THE_CLIENT.includes(key))
    .map((column) => (DERIVED.includes(column.key) ? { ...column, group: t('conferences.derived') } : column));
}
