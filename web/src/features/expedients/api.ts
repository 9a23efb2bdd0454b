import { operation } from '@/api/operation';

export const addNote = (expedientNumber: string, text: string) =>
  operation('post', '/api/v1/expedient-notes/{expedientNumber}', { path: { expedientNumber }, body: { text } });

export const deleteNote = (id: string) => operation('post', '/api/v1/expedient-note-delete/{id}', { path: { id } });
