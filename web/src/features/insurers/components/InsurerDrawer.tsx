import { Button, Drawer, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Insurer } from '@/shared/company/insurers';
import { errorText, useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { Tag } from '@/shared/ui/Tag';
import { customersOf } from '../api';
import { InsurerForm } from './InsurerForm';
import classes from './Insurers.module.css';

interface InsurerDrawerProps {
  insurer: Insurer | undefined;
  onClose: () => void;
}

/** One insurance company: its name, whether it is offered, and who works for it. */
export function InsurerDrawer({ insurer, onClose }: InsurerDrawerProps) {
  return (
    <Drawer opened={insurer !== undefined} onClose={onClose} position="right" size={460} title={insurer?.name}>
      {insurer && (
        <>
          <InsurerForm key={insurer._id} insurer={insurer} onDone={onClose} />
          <Customers insurer={insurer._id} />
        </>
      )}
    </Drawer>
  );
}

function Customers({ insurer }: { insurer: string }) {
  const t = useT();
  const { data, error, isPending, refetch } = useQuery(customersOf(insurer));
  return (
    <section className={classes.section}>
      <h2>{t('insurers.customers')}</h2>
      <p>{t('insurers.customersHelp')}</p>
      {isPending && <Skeleton h={12} w="60%" mt={20} />}
      {error && (
        <Note
          tone="bad"
          icon="warn"
          text={errorText(t, error)}
          action={
            <Button size="xs" variant="default" onClick={() => void refetch()}>
              {t('common.retry')}
            </Button>
          }
        />
      )}
      {data?.length === 0 && <p>{t('insurers.noCustomers')}</p>}
      <ul className={classes.customers}>
        {data?.map((customer) => (
          <li key={customer._id}>
            <Link to={paths.companyProfile(customer._id)}>
              <b>{customer.company}</b>
              <span className={classes.region}>{customer.region}</span>
              {customer.available && (
                <Tag tone="ok" icon="check">
                  {t('insurers.available')}
                </Tag>
              )}
              <Icon name="right" size={16} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
