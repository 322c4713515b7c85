// After a reload: puts back into the queue what was under way, and finds out whether its bytes are still at hand.
import type { PendingUpload } from '../../client/src/pending-uploads.ts';
import type { FileHandle } from '../../client/src/upload-memory.ts';
import { fill } from '../parts/page-data.ts';
import { texts } from './account-texts.ts';
import { claimUpload } from './claim-upload.ts';
import { gatehouse } from './gatehouse.ts';
import type { KeptUpload } from './queue-store.ts';
import { newUpload, type Upload } from './upload-queue.ts';
import type { Source, Uploader } from './uploader.ts';

export async function restoreUploads(uploader: Uploader): Promise<void> {
  const { store } = uploader;
  store.removeOthers().catch(() => undefined);
  const kept = await store.list().catch(() => []);
  // What another tab sends is left to it. If that tab is closed, this one goes on.
  for (const upload of kept) void takeOver(uploader, upload);
  const known = new Set(kept.map(({ key }) => key));
  for (const pending of await findPending())
    if (!known.has(pending.key)) addPending(uploader, pending, await claimUpload(pending.key));
}

async function takeOver(uploader: Uploader, kept: KeptUpload): Promise<void> {
  const giveBack = await claimUpload(kept.key);
  const isLeft = await uploader.store.has(kept.key).catch(() => false);
  if (!isLeft) return giveBack();
  const pending = (await findPending()).find(({ key }) => key === kept.key);
  if (pending !== undefined) return addPending(uploader, pending, giveBack, kept);
  const { file = await read(kept.handle), handle } = kept;
  const upload: Upload = { ...newUpload(kept), isKept: true, state: stateOf(kept) };
  if (file !== undefined) return uploader.takeOver(upload, { file, handle }, giveBack);
  const missing: Upload = { ...upload, isKept: false, state: 'missing', needsPermission: handle !== undefined };
  uploader.takeOver(missing, { handle }, giveBack);
}

function addPending(uploader: Uploader, pending: PendingUpload, giveBack: () => void, kept?: KeptUpload): void {
  const { key, purpose, type, size, sentBytes, canResume, needs } = pending;
  const name = pending.name ?? kept?.name ?? '';
  const upload = { ...newUpload({ key, name, size, type, purpose }), sentBytes, isKept: canResume };
  const file = canResume ? undefined : kept?.file;
  const isAtHand = canResume || file !== undefined;
  const state = isAtHand ? stateOf(kept) : 'missing';
  uploader.takeOver({ ...upload, state, needsPermission: needs === 'permission' }, { pending, file }, giveBack);
}

/** What the user paused waits for the user. */
function stateOf(kept: KeptUpload | undefined): 'paused' | 'waiting' {
  return kept?.isPaused ? 'paused' : 'waiting';
}

/** The user has chosen a file for an upload whose bytes are missing. */
export async function chooseAgain(uploader: Uploader, { key, name, size }: Upload, file: File): Promise<void> {
  const { pending } = uploader.sourceOf(key);
  const isSame = pending === undefined ? file.name === name && file.size === size : await pending.matches(file);
  if (isSame) uploader.find(key, file);
  else uploader.dispatch({ kind: 'gone', key, message: fill(texts.notSame, { name }) });
}

/** In a click, so that the browser may ask the user. */
export async function allowAgain(uploader: Uploader, key: string): Promise<void> {
  const { handle, pending }: Source = uploader.sourceOf(key);
  if (pending !== undefined) return uploader.dispatch({ kind: 'found', key });
  await handle?.requestPermission?.();
  const file = await read(handle);
  if (file !== undefined) uploader.find(key, file);
}

async function read(handle: FileHandle | undefined): Promise<File | undefined> {
  if ((await handle?.queryPermission?.()) === 'prompt') return undefined;
  return handle?.getFile().catch(() => undefined);
}

async function findPending(): Promise<readonly PendingUpload[]> {
  return gatehouse.files.pendingUploads().catch(() => []);
}
