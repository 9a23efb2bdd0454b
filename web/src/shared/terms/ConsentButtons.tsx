import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './LegalModal.module.css';

interface ConsentButtonsProps {
  /** A third way, quieter than both: to answer another day. */
  later?: ReactNode;
  decline: string;
  accept: string;
  onDecline: () => void;
  onAccept: () => void;
  declining?: boolean;
  accepting?: boolean;
  /** What is to be accepted has not been read yet. */
  unread?: boolean;
}

/** Accepting and declining weigh the same: neither is filled, so that nobody is led to one of them. */
export function ConsentButtons(props: ConsentButtonsProps) {
  const { later, decline, accept, onDecline, onAccept, declining, accepting, unread } = props;
  return (
    <div className={classes.foot}>
      {later}
      <Button variant="default" className={classes.choice} loading={declining} onClick={onDecline}>
        {decline}
      </Button>
      <Button variant="default" className={classes.choice} loading={accepting} disabled={unread} onClick={onAccept}>
        {accept}
      </Button>
    </div>
  );
}
