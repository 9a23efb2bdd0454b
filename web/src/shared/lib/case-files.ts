import { operation } from '@/api/operation';
import { download } from './download';

const part = encodeURIComponent;

/** Saves the certificate of a conference, issued now if need be. Throws `ApiError`. */
export const downloadCertificate = (conferenceId: string, expedientNumber: string) =>
  download(`/api/v1/print-cert/${part(conferenceId)}`, {}, `certificado-${expedientNumber}.pdf`);

/** Saves the pictures of a conference as a document for the insurer's file. Throws `ApiError`. */
export const downloadPhotoReport = (conferenceId: string, expedientNumber: string, marks = false) =>
  download(
    `/api/v1/photo-report/${part(conferenceId)}${marks ? '?marks=true' : ''}`,
    {},
    `informe-${expedientNumber}${marks ? '-con-marcas' : ''}.pdf`,
  );

/** Lets the browser save every file of a conference as one; it streams to disk. Throws `ApiError`. */
export async function downloadZip(conferenceId: string): Promise<void> {
  const { zip } = await operation('get', '/api/v1/zip/{id}', { path: { id: conferenceId } });
  const link = document.createElement('a');
  link.href = zip;
  link.download = `${conferenceId}.zip`;
  link.rel = 'noopener';
  document.body.append(link);
  link.click();
  link.remove();
}
