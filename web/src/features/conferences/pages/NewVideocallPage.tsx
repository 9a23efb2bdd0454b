import { useNavigate } from '@tanstack/react-router';
import { paths } from '@/app/paths';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { ClientPreview } from '../components/ClientPreview';
import { VideocallForm } from '../components/VideocallForm';
import { useVideocallForm } from '../use-videocall-form';
import classes from './NewVideocallPage.module.css';

/** `/vp-form`: the form on the left, what the client will get on the right. Sending leads to the room. */
export function NewVideocallPage() {
  const t = useT();
  const navigate = useNavigate();
  usePage({ title: t('videocall.formTitle') });
  const state = useVideocallForm((conferenceId) => void navigate({ href: paths.conference(conferenceId) }));
  return (
    <div className={classes.root}>
      <VideocallForm {...state} />
      <ClientPreview values={state.form.values} />
    </div>
  );
}
