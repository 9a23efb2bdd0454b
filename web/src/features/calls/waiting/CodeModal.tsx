import { Button, Modal } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { DictatedCode, useDictatedCode } from './DictatedCode';
import type { WaitingActions } from './use-waiting-actions';
import classes from './WayOutModals.module.css';

interface CodeModalProps {
  opened: boolean;
  onClose: () => void;
  actions: WaitingActions;
  link: string;
}

/** Twelve digits to read out over the phone, typed at `/codigo`. Asked for when the dialog opens. */
export function CodeModal({ opened, onClose, actions, link }: CodeModalProps) {
  const t = useT();
  const dictated = useDictatedCode(actions, opened);
  const address = `${new URL(link).host}/codigo`;
  return (
    <Modal opened={opened} onClose={onClose} title={t('videocall.w_codeTitle')} size={440}>
      <div className={classes.center}>
        <p className={classes.context}>{t('videocall.w_codeText', { address })}</p>
        <DictatedCode {...dictated} />
        <DialogButtons go={t('common.close')} onGo={onClose}>
          <Button variant="default" onClick={() => void dictated.again()}>
            {dictated.error === null ? t('videocall.w_codeNew') : t('common.retry')}
          </Button>
        </DialogButtons>
      </div>
    </Modal>
  );
}
