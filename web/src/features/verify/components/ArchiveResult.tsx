import { useT } from '@/shared/i18n';
import { Icon } from '@/shared/ui/Icon';
import type { ArchivedFile } from '../archive';
import { type Brought, compareArchive, type VerifiedCertificate } from '../model';
import { Digest } from './Digest';
import classes from './verify.module.css';

interface ArchiveResultProps {
  file: Brought;
  archive: ArchivedFile[];
  certificate: VerifiedCertificate;
}

/** What a case's archive says beside its certificate: all in one line, and each file that does not fit. */
export function ArchiveResult({ file, archive, certificate }: ArchiveResultProps) {
  const t = useT();
  const { belong, foreign, missing } = compareArchive(certificate.media, archive);
  const whole = foreign.length === 0 && belong.length > 0;
  return (
    <li className={classes.result} data-tone={whole ? 'ok' : 'bad'}>
      <Icon name={whole ? 'check' : 'x'} />
      <div>
        <b className="num">{t('verify.archive', { found: belong.length, total: archive.length })}</b>
        <span>{file.name}</span>
        {foreign.map(({ path, sha256 }) => (
          <span key={path}>
            {t('verify.archiveForeign', { name: path })}
            <Digest hex={sha256} />
          </span>
        ))}
        {missing.length > 0 && (
          <span className="num">{t('verify.archiveMissing', { n: missing.map(({ n }) => n).join(', ') })}</span>
        )}
        {certificate.state === 'void' && <span>{t('verify.belongsVoid')}</span>}
      </div>
    </li>
  );
}
