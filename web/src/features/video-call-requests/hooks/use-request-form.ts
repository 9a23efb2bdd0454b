import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '@/api/errors';
import { useCheckedForm } from '@/shared/forms/use-checked-form';
import { errorText, useT } from '@/shared/i18n';
import { heldPreference, readPreference, writePreference } from '@/shared/lib/preferences';
import { useRequiredSession } from '@/shared/session';
import { toast } from '@/shared/ui/toast';
import { createRequest, customersOf } from '../api';
import {
  type Habit,
  hasDraft,
  keepDraft,
  RENAMED,
  type RequestValues,
  readHabit,
  requestProblems,
  startValues,
  toBody,
} from '../request-form';

export interface RequestFailure {
  blocked: boolean;
  title: string;
  text: string;
}

/** State, rules and sending of `/videocall-request`. */
export function useRequestForm() {
  const t = useT();
  const queries = useQueryClient();
  const { user } = useRequiredSession();
  const habitKey = `${user._id}.videocallRequest`;
  const form = useCheckedForm<RequestValues>({
    initialValues: startValues(readHabit(heldPreference(habitKey)), user.phone),
    problems: (values) => requestProblems(t, values),
    rename: RENAMED,
  });
  const { values } = form;
  const customers = useQuery(customersOf(values.insuranceCompanyId));
  const [fresh] = useState(() => !hasDraft());
  const [failure, setFailure] = useState<RequestFailure | null>(null);

  // Read from the disk once; what was typed meanwhile stays.
  useEffect(() => {
    void readPreference(habitKey).then((stored) => {
      const { insuranceCompanyId, customerId, region, type } = readHabit(stored);
      if (fresh && insuranceCompanyId && !form.form.isDirty())
        form.set({ insuranceCompanyId, customerId, region, type });
    });
  }, []);
  useEffect(() => keepDraft(values), [values]);

  // A firm that no longer works for the insurer cannot be chosen, habit or not.
  const gone =
    customers.data && values.customerId !== '' && !customers.data.some((one) => one._id === values.customerId);
  const { set } = form;
  useEffect(() => {
    if (gone) set({ customerId: '' });
  }, [gone, set]);

  const sending = useMutation({
    mutationFn: (callbackAt: string | undefined) => {
      const name = customers.data?.find((one) => one._id === values.customerId)?.company;
      return createRequest(toBody(values, name, callbackAt));
    },
    onMutate: () => setFailure(null),
    onSuccess: () => {
      const { insuranceCompanyId, customerId, region, type } = values;
      void writePreference(habitKey, { insuranceCompanyId, customerId, region, type } satisfies Habit);
      form.form.setValues({ ...values, expedient: '', plate: '' });
      keepDraft({ ...values, expedient: '', plate: '' });
      return queries.invalidateQueries({ queryKey: ['list_video_call_requests'] });
    },
    onError: (error) => {
      const homeless = form.refuse(error);
      const api = error instanceof ApiError ? error : null;
      if (api?.code === 'REQUEST_OPEN') {
        toast.info({ title: t('videocallrequests.already') });
        void queries.invalidateQueries({ queryKey: ['list_video_call_requests'] });
        return;
      }
      if (api?.code === 'VIDEO_CALL_BLOCKED') {
        const own = api.errors.some(({ field }) => field.startsWith('starter'));
        setFailure({
          blocked: true,
          title: own ? t('videocallrequests.blockedOwn') : t('videocallrequests.blockedCustomer'),
          text: own ? t('videocallrequests.blockedOwnText') : t('videocallrequests.blockedCustomerText'),
        });
        void queries.invalidateQueries({ queryKey: ['request_customers'] });
        return;
      }
      if (api && api.errors.length > homeless.length) {
        form.focusFirstError();
        if (homeless.length === 0) return;
      }
      const network = api?.code === 'NETWORK' || !api;
      const text = network ? t('videocallrequests.failedNetwork') : errorText(t, error);
      setFailure({ blocked: false, title: t('videocallrequests.failed'), text: homeless[0]?.message || text });
    },
  });

  /** Sends, or shows what is wrong; answers whether there was something to send. */
  const submit = (callbackAt?: string): boolean => {
    if (!form.check()) {
      form.focusFirstError();
      return false;
    }
    sending.mutate(callbackAt);
    return true;
  };

  return { form, values, customers, failure, submit, sending: sending.isPending };
}

export type RequestFormState = ReturnType<typeof useRequestForm>;
