// The upload queue of the page: connects it with the network, with leaving the page, with signing out and with what is shown.
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Calls } from '../../client/src/api-types.ts';
import { findFault } from '../../client/src/find-fault.ts';
import { newKey } from '../../client/src/new-key.ts';
import type { FileRecord } from '../../client/src/upload-options.ts';
import { formatBytes } from '../parts/format.ts';
import { fill } from '../parts/page-data.ts';
import { texts } from './account-texts.ts';
import type { ChosenFile } from './dropped-files.ts';
import { explainFault, explainNoPurpose } from './explain-fault.ts';
import { gatehouse } from './gatehouse.ts';
import { guessPurpose } from './guess-purpose.ts';
import { isLeaving } from './leave.ts';
import type { Purpose } from './purpose-texts.ts';
import { restoreUploads } from './restore-uploads.ts';
import { emptyQueue, newUpload, type Upload, wouldLose } from './upload-queue.ts';
import { createUploader } from './uploader.ts';

type Offer = Calls['listPurposes']['data'];

export function useUploads(user: string, onStored: (record: FileRecord) => void) {
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

/** Without a chosen purpose, it is guessed. Refuses a file before the upload if the service would certainly refuse it. */
export function admit({ name, size, type }: ChosenFile['file'], chosen: Purpose | undefined, offer: Offer): Upload {
  const { purposes, quota } = offer;
  const file = { name, size, type };
  const purpose = chosen ?? guessPurpose(file, purposes);
  const upload = newUpload({ ...file, key: newKey(), purpose: purpose?.name ?? '' });
  const refuse = (message: string): Upload => ({ ...upload, state: 'refused', message });
  if (purpose === undefined) return refuse(explainNoPurpose(file, purposes));
  const fault = findFault(file, purpose);
  if (fault !== undefined) return refuse(explainFault(fault, file, purpose, purposes));
  const freeBytes = quota.maxBytes - quota.usedBytes;
  return size <= freeBytes ? upload : refuse(fill(texts.noRoom, { left: formatBytes(freeBytes) }));
}
