import { Button } from '@mantine/core';
import { modals } from '@mantine/modals';
import { useNavigate } from '@tanstack/react-router';
import { t } from '@/shared/i18n';
import { openModal } from '@/shared/lib/modals';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { notice as dialog } from '@/shared/ui/dialogs';
import { safeHtml } from '@/shared/ui/safe-html';
import { actionOf, fullText, type Notice, visit } from '../model';
import classes from './Notices.module.css';

/** A dialog titled with the text, containing the markup; below it where the notice leads, when it says. */
export function showHtml({ title, html, url }: { title: string; html: string; url?: string | null }): Promise<void> {
  return new Promise((resolve) => {
    const id = modals.open({
      title,
      size: 640,
      onClose: () => resolve(),
      children: (
        <>
          <div className={classes.html}>{safeHtml(html)}</div>
          <DialogButtons go={t('common.accept')} onGo={() => modals.close(id)} focus="go" apart>
            {url && <VisitButton url={url} />}
          </DialogButtons>
        </>
      ),
    });
  });
}

/** Dialogs stand outside the router, so this one is a plain link. */
function VisitButton({ url }: { url: string }) {
  const where = visit(url);
  if (!where) return null;
  return (
    <Button variant="default" component="a" href={where.href} target="_blank" rel="noopener noreferrer">
      {t('notifications.visit')}
    </Button>
  );
}

interface Act {
  /** Something else takes the panel's place. */
  onLeave: () => void;
  /** True while a dialog stands over the panel. */
  onDialog: (open: boolean) => void;
}

/** Runs what a notice leads to. */
export function useAct({ onLeave, onDialog }: Act): (notice: Notice) => void {
  const navigate = useNavigate();
  return (notice) => {
    const action = actionOf(notice);
    const over = (shown: Promise<void>) => {
      onDialog(true);
      // The Escape that closes the dialog is still on its way to the panel.
      void shown.finally(() => setTimeout(() => onDialog(false)));
    };
    switch (action.kind) {
      case 'message':
        over(dialog({ title: t('notifications.title'), text: fullText(notice) }));
        return;
      case 'html':
        over(showHtml({ title: fullText(notice), html: action.html, url: notice.url }));
        return;
      case 'conference':
        onLeave();
        openModal('conference-media', { conferenceId: action.conferenceId });
        return;
      case 'tab':
        window.open(action.href, '_blank', 'noopener,noreferrer');
        return;
      case 'route':
        onLeave();
        void navigate({ href: action.href });
    }
  };
}
