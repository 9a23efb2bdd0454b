/** Fresh proofs of identity: a call refused for want of one is made again once the person has given it. */

type Asker = () => Promise<boolean>;

let asker: Asker | null = null;
let asking: Promise<boolean> | null = null;

/** Sets who asks the person; answers how to take that back. */
export function askProofsBy(next: Asker): () => void {
  asker = next;
  return () => {
    if (asker === next) asker = null;
  };
}

/** Whether the person has now proved who they are. Calls refused at the same time ask once. */
export function askProof(): Promise<boolean> {
  if (!asker) return Promise.resolve(false);
  asking ??= asker().finally(() => {
    asking = null;
  });
  return asking;
}
