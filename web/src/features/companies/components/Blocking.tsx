import { Button, Modal, Radio } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Company, kindOf } from '@/shared/company/kinds';
import { errorText, type T, useLanguage, useT } from '@/shared/i18n';
import { longDate } from '@/shared/lib/dates';
import { DialogButtons } from '@/shared/ui/DialogButtons';
import { confirm } from '@/shared/ui/dialogs';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { toast } from '@/shared/ui/toast';
import { saveCompany } from '../api';
import { ACTIVE, type Block, blockOf, callsUntil, ownPieces, STATUS_OF } from '../model';
import { useTakeCompany } from '../use-company-editor';
import classes from './CompanyPage.module.css';

/** Blocks a company or lets it in again: one action that says what follows from it. */
export function Blocking({ company }: { company: Company }) {
  const t = useT();
  const take = useTakeCompany();
  const [asking, ask] = useDisclosure(false);
  const changing = useMutation({
    mutationFn: (status: number) => saveCompany(kindOf(company.companyType), { _id: company._id, status }),
    onSuccess: (fresh) => {
      ask.close();
      take(fresh);
      const title = blockOf(fresh.status) ? t('companies.blocked') : t('companies.unblocked');
      toast.ok({ title, text: fresh.company });
    },
    onError: (error) => toast.error({ title: t('companies.blockFailed'), text: errorText(t, error) }),
  });
  if (!blockOf(company.status)) {
    return (
      <>
        <Button mt={16} fullWidth variant="default" leftSection={<Icon name="lock" size={16} />} onClick={ask.open}>
          {t('companies.block')}
        </Button>
        <Modal
          opened={asking}
          onClose={ask.close}
          size={440}
          title={t('companies.blockTitle', { company: company.company })}
        >
          <Choice company={company} busy={changing.isPending} onCancel={ask.close} onChoose={changing.mutate} />
        </Modal>
      </>
    );
  }
  const unblock = async () => {
    const yes = await confirm({
      title: t('companies.unblockTitle', { company: company.company }),
      text: <Consequences texts={afterUnblock(t, company)} />,
      confirm: t('companies.unblock'),
    });
    if (yes) changing.mutate(ACTIVE);
  };
  return (
    <Button
      mt={16}
      fullWidth
      variant="default"
      loading={changing.isPending}
      leftSection={<Icon name="check" size={16} />}
      onClick={() => void unblock()}
    >
      {t('companies.unblock')}
    </Button>
  );
}

interface ChoiceProps {
  company: Company;
  busy: boolean;
  onCancel: () => void;
  onChoose: (status: number) => void;
}

/** How much of it is blocked, and what that means before it is done. */
function Choice({ company, busy, onCancel, onChoose }: ChoiceProps) {
  const t = useT();
  const language = useLanguage();
  const [block, choose] = useState<Block>('calls');
  return (
    <div className={classes.blocking}>
      <Radio.Group label={t('companies.blockWhat')} value={block} onChange={(value) => choose(value as Block)}>
        <div className={classes.blocks}>
          <Radio value="calls" label={t('companies.blockCalls')} />
          <Radio value="all" label={t('companies.blockAll')} />
        </div>
      </Radio.Group>
      <div aria-live="polite">
        <Note tone="quiet" icon="info" text={<Consequences texts={afterBlock(t, company, block, language)} />} />
      </div>
      <DialogButtons
        onCancel={onCancel}
        go={t('companies.block')}
        onGo={() => onChoose(STATUS_OF[block])}
        busy={busy}
      />
    </div>
  );
}

const Consequences = ({ texts }: { texts: string[] }) => (
  <ul className={classes.consequences}>
    {texts.map((text) => (
      <li key={text}>{text}</li>
    ))}
  </ul>
);

function afterBlock(t: T, company: Company, block: Block, language: string): string[] {
  const customer = company.companyType === '2';
  const until = block === 'calls' && customer ? callsUntil(company, Date.now()) : null;
  return [
    block === 'all'
      ? t('companies.blockedLogIn', { count: company.users })
      : customer
        ? t('companies.blockedCalls')
        : t('companies.blockedRequests'),
    ...(until ? [t('companies.blockedTrial', { date: longDate(until, language) })] : []),
    ...(customer ? [t('companies.blockedDebits')] : []),
    t('companies.blockedKept'),
  ];
}

function afterUnblock(t: T, company: Company): string[] {
  const customer = company.companyType === '2';
  return [
    customer ? t('companies.unblockedCalls') : t('companies.unblockedRequests'),
    ...(customer ? [t('companies.unblockedDebits')] : []),
    ...(customer && ownPieces(company.missing).length > 0 ? [t('companies.unblockedMissing')] : []),
  ];
}
