import { Button } from '@mantine/core';
import { QRCodeSVG } from 'qrcode.react';
import { useT } from '@/shared/i18n';
import { DictatedCode, useDictatedCode } from './DictatedCode';
import type { WaitingActions } from './use-waiting-actions';
import classes from './WayOutModals.module.css';

/** The link of a call that was opened without a message: to point a phone at, and to read out (CASE-53). */
export function AtOnce({ link, actions }: { link: string; actions: WaitingActions }) {
  const t = useT();
  const dictated = useDictatedCode(actions, true);
  const over = dictated.error !== null || (dictated.code !== null && dictated.left <= 0);
  return (
    <section className={classes.atOnce} aria-label={t('videocall.w_atOnce')}>
      <div className={classes.center}>
        <p className={classes.context}>{t('videocall.w_qrText')}</p>
        <div className={classes.qr}>
          <QRCodeSVG value={link} size={176} level="M" marginSize={0} title={t('videocall.w_qrTitle')} />
        </div>
        <span className={`${classes.address} num`}>{link}</span>
      </div>
      <div className={classes.center}>
        <p className={classes.context}>{t('videocall.w_codeText', { address: `${new URL(link).host}/codigo` })}</p>
        <DictatedCode {...dictated} />
        {over && (
          <Button size="xs" variant="default" onClick={() => void dictated.again()}>
            {dictated.error === null ? t('videocall.w_codeNew') : t('common.retry')}
          </Button>
        )}
      </div>
    </section>
  );
}
