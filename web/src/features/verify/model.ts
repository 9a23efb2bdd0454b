import type { components } from '@/api/generated/schema';
import type { MediaItem, Present } from '@/api/types';
import type { ArchivedFile } from './archive';

type Schemas = components['schemas'];

/** A file of a certificate: its digest, not its picture. */
export type VerifiedMedia = Omit<Schemas['VerifiedMedia'], 'type'> & Pick<MediaItem, 'type'>;

/** The installation's signature under the seal. */
export type Signature = Present<Schemas['SignatureView']>;

/** What anybody may read of a certificate by its code; `expedient` is masked, digests are lower-case hex. */
export type VerifiedCertificate = Omit<Present<Schemas['VerifiedCertificate']>, 'media' | 'signature'> & {
  media: VerifiedMedia[];
  signature: Signature | null;
};

/** The root of a day over all seals of it. */
export type EvidenceRoot = Schemas['RootView'];

/** Where the public keys are, as one PEM file. */
export const KEYS_PATH = '/.well-known/atalaya-evidence.pem';

/** A public key of the installation. */
export interface EvidenceKey {
  fingerprint: string;
  since: string;
  until: string | null;
  stolenOn: string | null;
}

/** The facts that stand before each key of the PEM file. */
export function readKeys(pem: string): EvidenceKey[] {
  const blocks = pem.split('-----BEGIN PUBLIC KEY-----').slice(0, -1);
  return blocks.map((block) => {
    const fact = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(block)?.[1] ?? null;
    return {
      fingerprint: fact('Key') ?? '',
      since: fact('Since') ?? '',
      until: fact('Until'),
      stolenOn: fact('Stolen'),
    };
  });
}

/** Crockford base32 as it is read aloud: O is 0, I and L are 1; nothing else is forgiven. */
const ALPHABET = /^[0-9A-HJKMNP-TV-Z]{20}$/;

/** A typed or scanned code as `XXXXX-XXXXX-XXXXX-XXXXX`, or `null` when it is none. */
export function readCode(typed: string): string | null {
  // Who copies the whole address of the page means its code.
  const code = (typed.trim().split('/').at(-1) ?? '')
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
  return ALPHABET.test(code) ? (code.match(/.{5}/g) ?? []).join('-') : null;
}

/** A file that a visitor brought. */
export interface Brought {
  id: number;
  name: string;
  /** Bytes. */
  size: number;
  /** Of `size`, while it is being read. */
  read: number;
  sha256: string | null;
  failed: boolean;
  /** Of an archive: the files in it. */
  archive?: ArchivedFile[];
}

/** What an archive says beside a certificate: which of its files belong, which do not, and which certified ones it lacks. */
export function compareArchive(media: readonly VerifiedMedia[], archive: readonly ArchivedFile[]) {
  const inside = new Set(archive.map(({ sha256 }) => sha256.toLowerCase()));
  return {
    belong: archive.filter(({ sha256 }) => matches(media, sha256).length > 0),
    foreign: archive.filter(({ sha256 }) => matches(media, sha256).length === 0),
    missing: media.filter(({ sha256 }) => !inside.has(sha256.toLowerCase())),
  };
}

/** The certificate's files with this digest; the same picture may be there twice. */
export const matches = (media: readonly VerifiedMedia[], sha256: string): VerifiedMedia[] =>
  media.filter((item) => item.sha256.toLowerCase() === sha256.toLowerCase());

/** A digest in two lines of 32, as the certificate prints it. */
export const twoLines = (hex: string): [string, string] => [hex.slice(0, 32), hex.slice(32)];
