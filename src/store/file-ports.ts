// Implements the ports of files besides their records: uploads in several requests, trash, links and readers, the queue of removals, the sweep of blobs, the installation.

import type { ResumableStore } from '../files/resumable/resumable-upload.ts';
import type { SharingStore } from '../files/sharing/file-link.ts';
import type { InstallationStore } from '../files/storage/installation.ts';
import type { SweepStore } from '../files/sweeps/blob-sweep.ts';
import type { RemovalQueue } from '../files/sweeps/removal-queue.ts';
import type { TrashStore } from '../files/trash/trash.ts';
import type { Crowded } from './operations/files/room.ts';
import type { Store } from './store.ts';

/** Each commit makes room by a few files, so that the commits of others come between. Each removes some, so it ends. */
export async function untilRoom<Outcome>(ask: () => Promise<Outcome | Crowded>): Promise<Outcome> {
  for (;;) {
    const outcome = await ask();
    if (!isCrowded(outcome)) return outcome;
  }
}

function isCrowded<Outcome>(outcome: Outcome | Crowded): outcome is Crowded {
  return typeof outcome === 'object' && outcome !== null && 'kind' in outcome && outcome.kind === 'crowded';
}

export function createFilePorts({ call }: Pick<Store, 'call'>) {
  const trash: TrashStore = {
    measureTrash: (userId) => call('measureTrash', userId),
    listTrash: (input) => call('listTrash', input),
    restoreFile: (input) => call('restoreFile', input),
    removeFromTrash: (input) => call('removeFromTrash', input),
    emptyTrash: (input) => call('emptyTrash', input),
    sweepFiles: (input) => call('sweepFiles', input),
  };
  const sharing: SharingStore = {
    createLink: (ask) => call('createFileLink', ask),
    listLinks: (input) => call('listFileLinks', input),
    revokeLinks: (input) => call('revokeFileLinks', input),
    openLink: (opening) => call('openFileLink', opening),
    countUse: (opening) => call('countFileLinkUse', opening),
    setReaders: (change) => call('setFileReaders', change),
    listReaders: (input) => call('listFileReaders', input),
    findFor: (input) => call('findFileFor', input),
  };
  const resumables: ResumableStore = {
    create: (upload) => untilRoom(() => call('createResumable', upload)),
    take: (input) => call('takeResumable', input),
    advance: (input) => untilRoom(() => call('advanceResumable', input)),
    beginFinish: (input) => call('beginUploadFinish', input),
    holdFinish: (input) => call('holdUploadFinish', input),
    leaveFinish: (input) => call('leaveUploadFinish', input),
    cancel: (input) => call('cancelResumable', input),
    listEnded: (input) => call('listEndedUploads', input),
    forgetParts: (input) => call('forgetUploadParts', input),
    known: (uploadIds) => call('knownUploads', uploadIds),
    listOpen: (input) => call('listOpenUploads', input),
  };
  const removals: RemovalQueue = {
    note: (pending) => call('notePendingFiles', pending),
    isDue: (now) => call('isRemovalDue', now),
    take: (input) => call('takeRemovals', input),
    end: (input) => call('endRemovals', input),
  };
  const sweeps: SweepStore = {
    claim: (input) => call('claimBlobSweep', input),
    note: (input) => call('noteOrphans', input),
    advance: (step) => call('advanceBlobSweep', step),
    read: () => call('readBlobSweep', null),
    recount: (input) => call('recountBlobSweep', input),
    forget: (ids) => call('forgetOrphans', ids),
  };
  const installations: InstallationStore = {
    find: () => call('findInstallation', null),
    claim: (input) => call('claimInstallation', input),
    adopt: (input) => call('adoptInstallation', input),
    measure: () => call('measureInstallation', null),
  };
  return { trash, sharing, resumables, removals, sweeps, installations };
}
