import { Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Breach } from '@/api/types';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { DataList, type ListColumn } from '@/shared/ui/DataList';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { toast } from '@/shared/ui/toast';
import { downloadPaper, listBreaches, PAPERS } from '../api';
import { BreachModal } from './BreachModal';
import classes from './privacy.module.css';

/** What a controller must have on paper, to be printed; and the register of breaches. */
export function Papers({ above }: { above: ReactNode }) {
  const t = useT();
  const language = useLanguage();
  const list = useListState({ sort: '-at' });
  const source = useQuery(listBreaches(list));
  const [adding, setAdding] = useState<{ follows: Breach | null } | null>(null);
  const printing = useMutation({
    mutationFn: downloadPaper,
    onError: (error) => toast.error({ title: t('privacy.paperFailed'), text: errorText(t, error) }),
  });
  const when = (at: string | null) => (at ? <span className="num">{shortDateTime(at, language)}</span> : '–');
  const columns: ListColumn<Breach>[] = [
    { key: 'knownAt', title: t('privacy.knownAt'), render: (row) => when(row.knownAt), fixed: true },
    { key: 'title', title: t('privacy.breachTitle'), render: (row) => row.title, fixed: true },
    { key: 'dueAt', title: t('privacy.dueAt'), render: (row) => when(row.dueAt) },
    { key: 'authorityAt', title: t('privacy.authorityAt'), render: (row) => when(row.authorityAt) },
    { key: 'people', title: t('privacy.people'), render: (row) => row.people ?? '–', right: true },
    { key: 'by', title: t('privacy.by'), render: (row) => row.by },
  ];
  const tools = (
    <>
      {above}
      <p className={classes.lead}>{t('privacy.papersLead')}</p>
      <div className={classes.tools}>
        {PAPERS.map((paper) => (
          <Button
            key={paper}
            variant="default"
            leftSection={<Icon name="dl" size={16} />}
            loading={printing.isPending && printing.variables === paper}
            onClick={() => printing.mutate(paper)}
          >
            {t(`privacy.paper_${paper}`)}
          </Button>
        ))}
        <Button leftSection={<Icon name="plus" size={16} />} onClick={() => setAdding({ follows: null })}>
          {t('privacy.newBreach')}
        </Button>
      </div>
    </>
  );
  return (
    <>
      <DataList<Breach>
        name="security-breaches"
        title={t('privacy.title')}
        subtitle={source.data && t('privacy.breachesCount', { count: source.data.total })}
        above={tools}
        list={list}
        source={source}
        columns={columns}
        rowKey={(row) => row._id}
        narrow={(row) => ({ title: row.title, text: row.by, aside: shortDateTime(row.knownAt, language) })}
        actions={(row) => (
          <IconAction
            icon="plus"
            size={28}
            label={t('privacy.continueBreach')}
            onClick={() => setAdding({ follows: row })}
          />
        )}
        empty={{ icon: 'check', title: t('privacy.noBreaches') }}
      />
      <BreachModal adding={adding} onClose={() => setAdding(null)} />
    </>
  );
}
