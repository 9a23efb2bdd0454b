import type { ReactNode } from 'react';
import { useT } from '@/shared/i18n';
import { formatPhone } from '@/shared/lib/phone';
import { CaseNumber } from '@/shared/ui/CaseNumber';
import { FactList } from '@/shared/ui/FactList';
import { Icon } from '@/shared/ui/Icon';
import { Plate } from '@/shared/ui/Plate';
import type { VideoCallRequest } from '../model';
import { typeIcon, typeText } from '../words';
import classes from './WaitingView.module.css';

/** What was asked for. */
export function CaseFacts({ request }: { request: VideoCallRequest }) {
  const t = useT();
  const facts: [string, ReactNode][] = [
    [
      t('videocall.expedient'),
      <b key="n">
        <CaseNumber number={request.expedient} />
      </b>,
    ],
    [
      t('videocallrequests.type'),
      <span key="t" className={classes.type}>
        <Icon name={typeIcon(request.type)} size={16} />
        {typeText(t, request.type)}
      </span>,
    ],
    [t('videocallrequests.insurer'), request.insuranceCompanyName],
    [t('videocallrequests.region'), request.region],
  ];
  if (request.plate) facts.push([t('videocall.plate'), <Plate key="c" plate={request.plate} />]);
  if (request.starterPhone) {
    facts.push([
      t('videocallrequests.phone'),
      <span key="p" className="num">
        {formatPhone(request.starterPhone)}
      </span>,
    ]);
  }
  return <FactList className={classes.facts} facts={facts} plain />;
}
