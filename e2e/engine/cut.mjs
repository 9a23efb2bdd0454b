#!/usr/bin/env node
/**
 * Cuts a media port on this machine with nftables: every packet to or from the port is dropped at the input hook
 * (loopback and own-address traffic passes it too, in both directions). Only an own table is made and removed.
 *
 *   node cut.mjs --udp 7882 --tcp 7882 --seconds 10
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from './lib/args.mjs';

const live = new Set();
let serial = 0;

function nft(script) {
  const run = spawnSync('nft', ['-f', '-'], { input: script, encoding: 'utf8' });
  if (run.error) return run.error.code === 'ENOENT' ? 'nft is not installed' : String(run.error.message);
  return run.status === 0 ? null : run.stderr.trim().split('\n')[0] || `nft ended with ${run.status}`;
}

/**
 * Whether packets can be dropped here.
 * @returns {string | null} null when they can, else the reason in plain words
 */
export function cannotCut() {
  const name = `atalaya_probe_${process.pid}`;
  const problem = nft(`table inet ${name} { chain c { type filter hook input priority -300;\n}\n}\n`);
  if (problem) return `nftables not usable here: ${problem}`;
  nft(`delete table inet ${name}\n`);
  return null;
}

/**
 * Drops the ports until the returned function is called (or the process ends).
 * @param {{udp?: number[], tcp?: number[]}} ports
 * @returns {() => void} ends the cut; may be called twice
 * @throws {Error} when nftables refuses
 */
export function cut({ udp = [], tcp = [] }) {
  serial += 1;
  const name = `atalaya_cut_${process.pid}_${serial}`;
  const rules = [
    ...udp.flatMap((p) => [`udp dport ${p} drop`, `udp sport ${p} drop`]),
    ...tcp.flatMap((p) => [`tcp dport ${p} drop`, `tcp sport ${p} drop`]),
  ];
  const problem = nft(`table inet ${name} { chain c { type filter hook input priority -300; policy accept;\n${rules.join('\n')}\n}\n}\n`);
  if (problem) throw new Error(`cut: ${problem}`);
  const restore = () => {
    if (live.delete(restore)) nft(`delete table inet ${name}\n`);
  };
  live.add(restore);
  return restore;
}

// A suite that ends early must not leave the machine's port dead.
process.on('exit', () => [...live].forEach((restore) => restore()));
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = parseArgs(process.argv.slice(2), { udp: '', tcp: '', seconds: '10' });
  const list = (text) => text.split(',').filter(Boolean).map(Number);
  const restore = cut({ udp: list(args.udp), tcp: list(args.tcp) });
  setTimeout(restore, Number(args.seconds) * 1000);
}
