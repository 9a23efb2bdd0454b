import { useLocation } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { closeModal, keepModalsOf, type ModalId, type ModalInputs, useOpenModals } from '@/shared/lib/modals';

interface ModalProps<Id extends ModalId> {
  input: ModalInputs[Id];
  /** False while it leaves. */
  opened: boolean;
  onClose: () => void;
}

/** Which component draws which id: the only place that knows both. */
const dialogs: { [Id in ModalId]: ComponentType<ModalProps<Id>> } = {
  'conference-media': lazy(() =>
    import('@/features/media/components/ConferenceMediaModal').then((m) => ({ default: m.ConferenceMediaModal })),
  ),
  'request-files': lazy(() =>
    import('@/features/client-files/components/RequestFilesModal').then((m) => ({ default: m.RequestFilesModal })),
  ),
  'file-requests': lazy(() =>
    import('@/features/client-files/components/FileRequestsModal').then((m) => ({ default: m.FileRequestsModal })),
  ),
  incidence: lazy(() =>
    import('@/features/incidences/components/IncidenceModal').then((m) => ({ default: m.IncidenceModal })),
  ),
};

/** Draws the dialogs opened by id (`shared/lib/modals`). Inside the shell: they need a session and the router. */
export function ModalHost() {
  const { pathname } = useLocation();
  const open = useOpenModals();
  // The address as it was when they were opened; the router writes it decoded.
  useEffect(() => keepModalsOf(window.location.pathname), [pathname]);
  // They go with the shell, which a session's end takes away.
  useEffect(() => () => keepModalsOf(''), []);
  return (
    <Suspense fallback={null}>
      {open.map(({ key, id, input, opened }) => {
        // The stack pairs each id with its own input.
        const Dialog = dialogs[id] as ComponentType<ModalProps<ModalId>>;
        return <Dialog key={key} input={input} opened={opened} onClose={() => closeModal(key)} />;
      })}
    </Suspense>
  );
}
