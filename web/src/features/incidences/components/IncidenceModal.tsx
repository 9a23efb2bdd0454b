import { Button, Modal, Radio, Select, Textarea, TextInput } from '@mantine/core';
import { limits } from '@/api/generated/limits';
import { type T, useT } from '@/shared/i18n';
import type { IncidenceInput } from '@/shared/lib/modals';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { type IncidenceForm, useIncidenceForm } from '../hooks/use-incidence-form';
import { reasonText, typeText } from '../model';
import { REASONS, TYPES } from '../types';
import { ConferencePicker } from './ConferencePicker';
import { ImageField } from './ImageField';
import classes from './IncidenceModal.module.css';
import { IncidencePicker } from './IncidencePicker';

interface IncidenceModalProps {
  input: IncidenceInput;
  opened: boolean;
  onClose: () => void;
}

/**
 * The incidence form, the dialog with the id `incidence`: a new incidence (list-add), or an addition to an existing one
 * (support), which hides reason and comments.
 */
export function IncidenceModal({ input, opened, onClose }: IncidenceModalProps) {
  const t = useT();
  const form = useIncidenceForm(input, onClose);
  const support = form.opener === 'support';
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size={640}
      centered
      closeOnClickOutside={false}
      title={support ? t('incidences.support') : t('incidences.new')}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <form
        ref={form.form}
        className={classes.form}
        noValidate
        // A file dropped beside the field would take the page away.
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => event.preventDefault()}
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        <p className={classes.context}>{support ? t('incidences.supportText') : t('incidences.newText')}</p>
        {form.offered && <Draft form={form} />}
        {support ? <AnswerFields form={form} /> : <NewFields form={form} />}
        <ImageField
          images={form.values.images}
          onChange={(change) => form.set(({ images }) => ({ images: change(images) }))}
        />
        {form.mandatory && <Note tone="bad" icon="warn" title={t('incidences.mandatory')} />}
        <DialogButtons
          onCancel={onClose}
          go={support ? t('incidences.sendAnswer') : t('incidences.send')}
          icon="send"
          busy={form.sending}
        />
      </form>
    </Modal>
  );
}

/** What could not be sent, or was closed, is offered again. */
function Draft({ form }: { form: IncidenceForm }) {
  const t = useT();
  const action = (
    <span className={classes.draft}>
      <Button size="xs" variant="default" onClick={form.restore}>
        {t('incidences.draftRestore')}
      </Button>
      <Button size="xs" variant="subtle" color="gray" onClick={form.discard}>
        {t('incidences.draftDiscard')}
      </Button>
    </span>
  );
  return <Note icon="undo" title={t('incidences.draft')} text={t('incidences.draftText')} action={action} />;
}

function NewFields({ form }: { form: IncidenceForm }) {
  const t = useT();
  const { values, set, errorOf } = form;
  return (
    <>
      <Radio.Group
        label={t('incidences.type')}
        value={values.type}
        onChange={(type) => set({ type })}
        error={errorOf('type')}
      >
        <div className={classes.radios}>
          {TYPES.map((type) => (
            <Radio
              key={type}
              value={String(type)}
              label={typeText(t, type)}
              aria-invalid={errorOf('type') ? true : undefined}
            />
          ))}
        </div>
      </Radio.Group>
      {values.type === '1' && (
        <ConferencePicker
          value={values.conference}
          error={errorOf('conference')}
          onChange={(conference) => set({ conference })}
        />
      )}
      {values.type === '2' && <GeneralFields form={form} />}
      <Select
        label={t('incidences.reason')}
        placeholder={t('incidences.reasonPlaceholder')}
        rightSection={<Icon name="down" size={14} />}
        data={REASONS.map((reason) => ({ value: String(reason), label: reasonText(t, reason) }))}
        value={values.reason || null}
        onChange={(reason) => set({ reason: reason ?? '' })}
        error={errorOf('reason')}
      />
      <Comments form={form} label={t('incidences.comments')} t={t} />
    </>
  );
}

/** What a general incidence may name, if it is about a case. */
function GeneralFields({ form }: { form: IncidenceForm }) {
  const t = useT();
  const { values, set, errorOf } = form;
  const optional = (label: string) => (
    <>
      {label} <span className={classes.optional}>{t('common.optional')}</span>
    </>
  );
  return (
    <div className={classes.two}>
      <TextInput
        label={optional(t('incidences.expedient'))}
        autoComplete="off"
        maxLength={limits.expedientMax}
        classNames={{ input: 'num' }}
        value={values.expedient}
        onChange={(event) => set({ expedient: event.currentTarget.value })}
        error={errorOf('expedient')}
      />
      <TextInput
        label={optional(t('incidences.phone'))}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        classNames={{ input: 'num' }}
        value={values.phone}
        onChange={(event) => set({ phone: event.currentTarget.value })}
        error={errorOf('phone')}
      />
    </div>
  );
}

function AnswerFields({ form }: { form: IncidenceForm }) {
  const t = useT();
  return (
    <>
      <IncidencePicker
        value={form.values.incidenceId}
        error={form.errorOf('incidenceId')}
        onChange={(incidenceId) => form.set({ incidenceId })}
        onNew={form.beginNew}
      />
      <Comments form={form} label={t('incidences.yourAnswer')} t={t} />
    </>
  );
}

function Comments({ form, label, t }: { form: IncidenceForm; label: string; t: T }) {
  const { values, set, errorOf } = form;
  return (
    <Textarea
      label={label}
      autosize
      minRows={4}
      maxRows={10}
      description={
        <span className={`${classes.counter} num`}>
          {values.comments.length} / {limits.incidenceTextMax}
        </span>
      }
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      placeholder={t('incidences.commentsPlaceholder')}
      value={values.comments}
      onChange={(event) => set({ comments: event.currentTarget.value })}
      error={errorOf('comments')}
    />
  );
}
