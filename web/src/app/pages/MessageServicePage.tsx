import { MessageServicePage as Page } from '@/features/message-service/pages/MessageServicePage';
import { Senders } from '@/features/sms-texts/components/Senders';

/** `/message-service`: the delivery of messages and the names that customers sign theirs with. */
export const MessageServicePage = () => <Page senders={<Senders />} />;
