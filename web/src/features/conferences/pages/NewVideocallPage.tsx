import { useNavigate, useSearch } from '@tanstack/react-router';
import { useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { ClientPreview } from '../components/ClientPreview';
import { VideocallForm } from '../components/VideocallForm';
import { useVideocallForm, type WantedCase } from '../use-videocall-form';
import classes from './NewVideocallPage.module.css';

/** `/vp-form`; with `?case=…&type=…` the form of another call about that case, with what is known of it. */
export function NewVideocallPage() {
  // A number that is all digits comes as one.
  const { case: given, type } = useSearch({ strict: false }) as { case?: string | number; type?: string | number };
  const number = given === undefined ? undefined : String(given);
  return <Form key={number} wanted={number ? { number, type: Number(type) === 2 ? 2 : 1 } : undefined} />;
}

/** The form on the left, what the client will get on the right. Sending leads to the room. */
function Form({ wanted }: { wanted?: WantedCase }) {
  const t = useT();
  const navigate = useNavigate();
  usePage({ title: t('videocall.formTitle') });
  const state = useVideocallForm((conferenceId) => void navigate({ href: paths.conference(conferenceId) }), wanted);
  return (
    <div className={classes.root}>
      <VideocallForm {...state} />
      <ClientPreview values={state.form.values} fold={state.fold} />
    </div>
  );
}
