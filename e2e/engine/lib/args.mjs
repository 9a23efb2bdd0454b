/**
 * Command line of the suite and of the benchmark.
 * Plain `--name value` pairs and `--flag`; an unknown name is an error, so that a typing mistake never runs a weaker suite.
 */
import { networkInterfaces } from 'node:os';

/**
 * @param {string[]} argv arguments after the script's name
 * @param {Record<string, string | boolean | undefined>} defaults known names with their defaults; a boolean default makes a flag
 * @returns {Record<string, any>} values by name
 * @throws {Error} on an unknown name or a missing value
 */
export function parseArgs(argv, defaults) {
  const values = { ...defaults };
  for (let i = 0; i < argv.length; i += 1) {
    const name = argv[i].replace(/^--/, '');
    if (!argv[i].startsWith('--') || !(name in defaults)) {
      throw new Error(`unknown argument ${argv[i]}; known: ${Object.keys(defaults).map((k) => `--${k}`).join(' ')}`);
    }
    if (typeof defaults[name] === 'boolean') {
      values[name] = true;
    } else {
      i += 1;
      if (argv[i] === undefined) throw new Error(`--${name} needs a value`);
      values[name] = argv[i];
    }
  }
  return values;
}

/**
 * The machine's own IPv4 address that is not the loopback one, or null.
 * Firefox does not connect to a 127.0.0.1 candidate (ENGINE-9), so engines under test advertise this one.
 * @returns {string | null}
 */
export function ownAddress() {
  for (const addresses of Object.values(networkInterfaces())) {
    for (const a of addresses ?? []) {
      if (a.family === 'IPv4' && !a.internal) return a.address;
    }
  }
  return null;
}
