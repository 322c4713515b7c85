// Use case: remove the bytes of ended uploads, and now and then those that belong to no upload at all.
import type { UploadId } from '../../kernel/ids.ts';
import type { FileDeps } from '../deps.ts';

type Deps = Pick<FileDeps, 'blobs' | 'resumables' | 'clock' | 'log'>;

type SweptUploads = { readonly ended: number; readonly unknown: number };

const endedAtOnce = 200;
/** An upload is recorded before its first byte, so bytes without a record are left behind. The age is for clocks that differ. */
const strayMilliseconds = 86_400_000;
const straysAtOnce = 200;
const mostFailures = 10;

/**
 * The list of all parts is long, so `looksForStrays` is for few rounds. One upload whose bytes cannot be removed keeps no other from its
 * removal. Throws the first failure of the storage at the end; a later round tries again.
 */
export async function sweepUploads(deps: Deps, looksForStrays: boolean): Promise<SweptUploads> {
  const { blobs, resumables, clock, log } = deps;
  const uploadIds = await resumables.listEnded({ now: clock.now(), most: endedAtOnce });
  const failures: unknown[] = [];
  const note = (error: unknown) => {
    failures.push(error);
    // Away altogether: the others wait for it as well, and each of them would cost a time-out.
    if (failures.length === mostFailures) throw failures[0];
  };
  for (const uploadId of uploadIds) {
    await blobs.parts
      .remove(uploadId)
      .then(() => resumables.forgetParts({ uploadId, now: clock.now() }))
      .catch(note);
  }
  const ended = uploadIds.length;
  let unknown = 0;
  const lists = looksForStrays ? listOld(deps) : [];
  for await (const old of lists) {
    const known = new Set(await resumables.known(old));
    const strays = old.filter((id) => !known.has(id));
    for (const upload of strays) {
      log.info('removing the bytes of an upload without a record', { upload });
      await blobs.parts.remove(upload).catch(note);
    }
    unknown += strays.length;
  }
  if (failures.length > 0) throw failures[0];
  return { ended, unknown };
}

async function* listOld({ blobs, clock }: Deps): AsyncIterable<UploadId[]> {
  const oldest = clock.now() - strayMilliseconds;
  let ids: UploadId[] = [];
  for await (const { id, modifiedAt } of blobs.parts.list()) {
    if (modifiedAt < oldest) ids.push(id);
    if (ids.length < straysAtOnce) continue;
    yield ids;
    ids = [];
  }
  if (ids.length > 0) yield ids;
}
