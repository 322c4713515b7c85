// The upload queue of the page: connects it with the network, with leaving the page, with signing out and with what is shown.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { findFault } from '../../client/src/find-fault.ts';
import { newKey } from '../../client/src/new-key.ts';
import type { FileRecord } from '../../client/src/upload-options.ts';
import type { ChosenFile } from './dropped-files.ts';
import { explainFault, explainNoPurpose } from './explain-fault.ts';
import { gatehouse } from './gatehouse.ts';
import { guessPurpose } from './guess-purpose.ts';
import { isLeaving } from './leave.ts';
import type { Purpose } from './purpose-texts.ts';
import { restoreUploads } from './restore-uploads.ts';
import { emptyQueue, newUpload, type Upload, wouldLose } from './upload-queue.ts';
import { createUploader } from './uploader.ts';

type Events = {
  readonly onStored: (record: FileRecord) => void;
  /** An upload ended, and nothing was stored. */
  readonly onFailed: () => void;
};

export function useUploads(user: string, { onStored, onFailed }: Events) {
  const [queue, setQueue] = useState(emptyQueue);
  const uploader = useMemo(() => {
    let isDrawing = false;
    const draw = () => {
      isDrawing = false;
      setQueue(made.now());
    };
    const made = createUploader({
      user,
      onStored,
      onFailed,
      // Many reports at once are drawn once.
      onChange: () => {
        if (isDrawing) return;
        isDrawing = true;
        requestAnimationFrame(draw);
      },
    });
    return made;
  }, [user]);
  useEffect(() => {
    void restoreUploads(uploader);
    const connect = () => uploader.dispatch({ kind: navigator.onLine ? 'connected' : 'disconnected' });
    const warn = (event: BeforeUnloadEvent) => {
      if (!isLeaving() && wouldLose(uploader.now())) event.preventDefault();
    };
    // The files of somebody who has signed out do not stay in the browser.
    const stopListening = gatehouse.on('signed-out', ({ reason }) => {
      if (reason !== 'ended') uploader.store.clear().catch(() => undefined);
    });
    addEventListener('online', connect);
    addEventListener('offline', connect);
    addEventListener('beforeunload', warn);
    return () => {
      removeEventListener('online', connect);
      removeEventListener('offline', connect);
      removeEventListener('beforeunload', warn);
      stopListening();
      uploader.end();
    };
  }, [uploader]);
  return { queue, uploader };
}

/**
 * Without a chosen purpose, it is guessed. Refuses a file before the upload for what cannot change: its purpose, type and size. Whether there
 * is room, only the service knows, because other tabs and devices make and take it.
 */
export function admit(
  { name, size, type }: ChosenFile['file'],
  chosen: Purpose | undefined,
  purposes: readonly Purpose[],
): Upload {
  const file = { name, size, type };
  const purpose = chosen ?? guessPurpose(file, purposes);
  const upload = newUpload({ ...file, key: newKey(), purpose: purpose?.name ?? '' });
  const refuse = (message: string): Upload => ({ ...upload, state: 'refused', message });
  if (purpose === undefined) return refuse(explainNoPurpose(file, purposes));
  const fault = findFault(file, purpose);
  return fault === undefined ? upload : refuse(explainFault(fault, file, purpose, purposes));
}
