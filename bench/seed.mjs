/** Conferences as the server would have written them, by SQL: what takes it a call each is there in seconds. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/**
 * Fills `count` conferences of a company over a year into a SQLite database, by two people, with a media room each and a
 * file for every second one; four of five are Autos. The `i`-th is opened `i` parts of the year ago. Needs the `sqlite3` command.
 *
 * @param {string} folder data folder of a server
 * @param {string} company id
 * @param {[string, string]} people ids
 */
export function addConferences(folder, company, people, count) {
  const hex = (id) => `X'${id.replaceAll('-', '')}'`;
  const apart = Math.max(1, Math.floor((365 * 86_400) / count));
  const at = `strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now', '-' || (i * ${apart}) || ' seconds')`;
  const later = (minutes) => at.replace(`' seconds')`, `' seconds', '+${minutes} minutes')`);
  const projection = `json_object('sentAt', ${at}, 'openedAt', ${later(1)}, 'browser', 'Chrome 154', 'os', 'Android 16',
    'legalShownAt', ${later(1)}, 'legalAcceptedAt', ${later(2)}, 'camera', 'granted', 'microphone', 'granted',
    'geolocation', 'granted', 'permissionAt', ${later(2)}, 'clientConnectedAt', ${later(3)}, 'pictures', i % 2, 'videos', 0,
    'documents', 0, 'positions', 1, 'closedAt', ${later(12)})`;
  const sql = `
    PRAGMA synchronous = OFF;
    CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
      SELECT i, randomblob(16) AS id FROM n;
    BEGIN;
    INSERT INTO conference (id, company_id, user_id, conference_type, expedient_number, expedient_key, phone_number,
        contact_person, full_address, city, postal_code, car_id, app_type, language, customer_name, user_name, sid, hash,
        short_code, duration_s, closed, files_requested, created_at, closed_at, expired_at, data_key, last_seq, chain_head,
        projection, search, stage)
      SELECT id, ${hex(company)}, CASE i % 2 WHEN 0 THEN ${hex(people[0])} ELSE ${hex(people[1])} END,
        CASE i % 5 WHEN 0 THEN 2 ELSE 1 END, printf('EXP-%07d', i), printf('EXP-%07d', i), printf('+346%08d', i * 7919 % 100000000),
        'Persona ' || i, 'Calle Mayor ' || (i % 200) || ', 46001 Valencia', 'Valencia', '46001', printf('%04d BCD', i % 10000),
        'web', 'es', 'Empresa de medida', 'Persona que mide', 'RM_' || i, lower(hex(randomblob(16))),
        lower(hex(randomblob(5))), i % 900, 1, 0, ${at}, ${later(12)}, ${later(1440)}, randomblob(60), 12,
        lower(hex(randomblob(32))), ${projection},
        lower(printf('exp-%07d', i) || ' +346' || printf('%08d', i * 7919 % 100000000) || ' persona ' || i || ' ' ||
          printf('%04d bcd', i % 10000) || ' calle mayor valencia persona que mide empresa de medida'), 3 + i % 2 FROM n;
    INSERT INTO conference_room (id, conference_id, sid, started_at, ended_at)
      SELECT randomblob(16), id, 'RM_' || i, ${later(3)}, ${later(12)} FROM n;
    INSERT INTO media_item (id, conference_id, company_id, filename, original_file_name, media_type, hash, mime, origin, blob_name,
        size_bytes, captured_at, created_at)
      SELECT randomblob(16), id, ${hex(company)}, lower(hex(randomblob(16))) || '.jpg', 'foto-001.jpg', 'PICTURE',
        lower(hex(randomblob(32))), 'image/jpeg', 'call', 'bench/' || i, 2000000, ${later(5)}, ${later(5)} FROM n WHERE i % 2 = 1;
    COMMIT;`;
  execFileSync('sqlite3', ['-cmd', '.timeout 20000', join(folder, 'atalaya.db'), sql]);
}
