/** Drops everything that comes in on the media port, UDP and TCP, as a dead network path does. */
import { execFileSync } from 'node:child_process';

const TABLE = `atalaya_journey_${process.pid}`;
const nft = (text) => execFileSync('nft', ['-f', '-'], { input: text, stdio: ['pipe', 'pipe', 'pipe'] });

/** Whether this machine lets us. */
export function canCut() {
  try {
    nft(`table inet ${TABLE} {}\ndelete table inet ${TABLE}\n`);
    return true;
  } catch {
    return false;
  }
}

export function cutPort(port) {
  nft(`table inet ${TABLE} {
    chain in {
      type filter hook input priority 0;
      meta l4proto { tcp, udp } th dport ${port} drop
      meta l4proto { tcp, udp } th sport ${port} drop
    }
  }\n`);
  return { heal: () => nft(`delete table inet ${TABLE}\n`) };
}
