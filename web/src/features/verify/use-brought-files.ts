import { useCallback, useEffect, useRef, useState } from 'react';
import { scriptAddress } from '@/shared/lib/trusted';
import type { HashJob, HashNews } from './hash.worker';
import hashWorker from './hash.worker.ts?worker&url';
import type { Brought } from './model';

const start = () => new Worker(scriptAddress(hashWorker), { type: 'module' });

/** The files a visitor brings, hashed in a worker of this page. They never leave the device. Newest first. */
export function useBroughtFiles() {
  const [files, setFiles] = useState<Brought[]>([]);
  const worker = useRef<Worker | null>(null);
  const next = useRef(0);
  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = null;
    },
    [],
  );

  const change = useCallback((id: number, changes: Partial<Brought>) => {
    setFiles((before) => before.map((file) => (file.id === id ? { ...file, ...changes } : file)));
  }, []);

  const bring = useCallback(
    (brought: readonly File[]) => {
      if (!worker.current) {
        worker.current = start();
        worker.current.onmessage = ({ data: { id, ...news } }: MessageEvent<HashNews>) => change(id, news);
        // The script itself did not load: nothing that waits will ever be read.
        worker.current.onerror = () =>
          setFiles((before) => before.map((file) => (file.sha256 ? file : { ...file, failed: true })));
      }
      for (const file of brought) {
        const id = next.current++;
        const fresh = { id, name: file.name, size: file.size, read: 0, sha256: null, failed: false };
        setFiles((before) => [fresh, ...before]);
        worker.current.postMessage({ id, file } satisfies HashJob);
      }
    },
    [change],
  );
  const clear = useCallback(() => setFiles([]), []);
  return { files, bring, clear };
}
