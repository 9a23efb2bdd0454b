import { ConferencePage as Page } from '@/features/calls/pages/ConferencePage';
import { PreviewModal } from '@/features/media/components/PreviewModal';

/** `/conference/{conferenceId}`: the call, whose files open in the media view's preview. */
export const ConferencePage = () => <Page Preview={PreviewModal} />;
