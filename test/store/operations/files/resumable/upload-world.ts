// Clients, nodes and the sweep of one model run: each step is one call to the store or the storage, and a node may die between any two.

import assert from 'node:assert/strict';
import type { UploadPartInfo } from '../../../../../src/files/resumable/part-store.ts';
import { newUploadId, rememberSeconds } from '../../../../../src/files/resumable/resumable-upload.ts';
import { newId } from '../../../../../src/kernel/crypto/random.ts';
import type { UploadId, UserId } from '../../../../../src/kernel/ids.ts';
import type { createPorts } from '../../../../../src/store/ports.ts';
import { wideQuota } from '../../../../helpers/store/file-fixtures.ts';
import { creation, uploadSettlement } from '../../../../helpers/store/upload-fixtures.ts';
import { createMemoryParts, type MemoryWriter } from './crashing-parts.ts';
import { createUploadModel, leaseMilliseconds, lifeMilliseconds } from './upload-model.ts';

type Ports = Pick<ReturnType<typeof createPorts>, 'resumables' | 'files'>;

/** A request that appends. `flushed`: durable bytes that are not recorded yet. */
type Append = {
  readonly node: number;
  readonly uploadId: UploadId;
  readonly writer: string;
  readonly from: number;
  readonly parts: MemoryWriter;
  durable: number;
  readonly flushed: Map<string, UploadPartInfo>;
};
type Finish = {
  readonly node: number;
  readonly uploadId: UploadId;
  readonly finisher: string;
  readonly parts: readonly UploadPartInfo[];
  step: 'begun' | 'assembled' | 'settled' | 'removed';
};
type Sweep = { readonly node: number; readonly uploadId: UploadId; isRemoved: boolean };

export type World = ReturnType<typeof createWorld>;

export function createWorld(ports: Ports, userId: UserId, start: number, isGrowing: boolean, hasLength: boolean) {
  const { resumables, files } = ports;
  let now = start;
  const content = Buffer.from(Array.from({ length: 8 }, (_, at) => at + 1));
  const parts = createMemoryParts(() => now, isGrowing);
  const model = createUploadModel();
  let appends: Append[] = [];
  let finishes: Finish[] = [];
  let sweeps: Sweep[] = [];
  /** What the client believes. */
  let current: UploadId | undefined;
  let shownOffset = 0;
  const asked = (uploadId: UploadId) => ({ uploadId, userId, now });
  /** Mostly the newest. */
  const pick = <T>(list: readonly T[], n: number): T | undefined =>
    n % 4 === 0 ? list[n % Math.max(1, list.length)] : list.at(-1);

  const hear = (uploadId: UploadId, offset: number) => {
    if (uploadId !== current) shownOffset = 0;
    assert.ok(offset >= shownOffset, `the offset went back from ${shownOffset} to ${offset}`);
    assert.equal(offset, model.find(uploadId)?.received);
    [current, shownOffset] = [uploadId, offset];
  };
  const append = (node: number, uploadId: UploadId, writer: string, from: number) => {
    hear(uploadId, from);
    const rest = { durable: from, flushed: new Map<string, UploadPartInfo>() };
    appends.push({ node, uploadId, writer, from, parts: parts.openWriter(uploadId, from), ...rest });
  };
  const endAppend = (one: Append) => {
    appends = appends.filter((other) => other !== one);
  };
  const endFinish = (one: Finish) => {
    finishes = finishes.filter((other) => other !== one);
  };
  const forget = async (uploadId: UploadId) => {
    const endedAt = model.find(uploadId);
    await resumables.forgetParts({ uploadId, now });
    // The store decides by the moment of the end, which the model does not know: its row tells.
    const isLeft = (await resumables.known([uploadId])).length > 0;
    if (endedAt !== undefined && !isLeft) model.forget(uploadId);
  };
  const take = async (n: number, offset: number | undefined, hasWriter: boolean) => {
    if (current === undefined) return;
    const uploadId = current;
    const writer = hasWriter ? newId() : undefined;
    const outcome = await resumables.take({ ...asked(uploadId), writer, offset });
    assert.equal(outcome.kind, model.take(uploadId, writer, offset, now));
    if (outcome.kind === 'taken' && writer !== undefined) append(n % 2, uploadId, writer, outcome.upload.received);
    else if (outcome.kind === 'taken') hear(uploadId, outcome.upload.received);
    if (outcome.kind === 'wrong offset') hear(uploadId, outcome.received);
    if (outcome.kind === 'stored') assert.equal(outcome.file?.id, model.file());
  };

  const finish = async (one: Finish | undefined) => {
    if (one === undefined) return;
    const { uploadId } = one;
    if (one.step === 'begun') {
      const bytes = parts.read(uploadId, one.parts);
      if (bytes === undefined) assert.ok(!model.isLive(uploadId, now), 'a part of a live upload is missing');
      else assert.deepEqual(bytes, content);
      one.step = 'assembled';
      if (bytes === undefined) endFinish(one);
    } else if (one.step === 'assembled') {
      const sent = creation(userId, { id: uploadId, keyId: 'key', length: content.length, now });
      const settled = uploadSettlement(sent);
      const key = settled.key && { ...settled.key, keptUntil: now + 1e12 };
      const outcome = await files.settle({ ...settled, key });
      assert.equal(outcome.kind, model.settle(uploadId, settled.file.id, now));
      if ('file' in outcome) assert.equal(outcome.file.id, model.file());
      one.step = 'settled';
      if (outcome.kind === 'ended') endFinish(one);
    } else if (one.step === 'settled') {
      parts.remove(uploadId);
      one.step = 'removed';
    } else {
      await forget(uploadId);
      endFinish(one);
    }
  };

  const steps = {
    create: async (n: number) => {
      const [id, writer] = [newUploadId(), newId()];
      const length = hasLength ? content.length : undefined;
      const rest = { keyId: 'key', length, writer, now, expiresAt: now + lifeMilliseconds };
      const outcome = await resumables.create(creation(userId, { id, ...rest }));
      assert.equal(outcome.kind, model.create(id, length, writer, now));
      if (outcome.kind === 'created') append(n % 2, id, writer, 0);
      if (outcome.kind === 'open') append(n % 2, outcome.upload.id, writer, outcome.upload.received);
    },
    take: (n: number) => take(n, n % 5 === 0 ? shownOffset + 1 : shownOffset, true),
    head: (n: number) => take(n, undefined, false),
    write: async (n: number) => {
      const one = pick(appends, n);
      const at = one === undefined ? 0 : one.from + one.parts.size;
      await one?.parts.write(content.subarray(at, at + 1 + (n % 7)));
    },
    flush: async (n: number) => {
      const one = pick(appends, n);
      if (one === undefined) return;
      for (const part of await one.parts.flush()) one.flushed.set(part.id, part);
      one.durable = one.from + one.parts.size;
    },
    advance: async (n: number) => {
      const one = pick(appends, n);
      if (one === undefined) return;
      const { uploadId, writer, durable: received } = one;
      const bytes = { parts: [...one.flushed.values()], received, length: undefined };
      const rest = { writer, quota: wideQuota, expiresAt: now + lifeMilliseconds };
      const outcome = await resumables.advance({ ...asked(uploadId), ...bytes, ...rest });
      assert.equal(outcome, model.advance(uploadId, writer, received, now));
      one.flushed.clear();
      if (outcome === 'advanced') hear(uploadId, received);
      else endAppend(one);
    },
    begin: async (n: number) => {
      if (current === undefined) return;
      const finisher = newId();
      const lease = { finisher, finishUntil: now + leaseMilliseconds, length: content.length };
      const outcome = await resumables.beginFinish({ ...asked(current), ...lease });
      assert.equal(outcome.kind, model.begin(current, finisher, content.length, now));
      if (outcome.kind === 'begun')
        finishes.push({ node: n % 2, uploadId: current, finisher, parts: outcome.parts, step: 'begun' });
    },
    hold: async (n: number) => {
      const one = pick(finishes, n);
      if (one === undefined) return;
      const { uploadId, finisher } = one;
      const finishUntil = now + leaseMilliseconds;
      const isHeld = await resumables.holdFinish({ uploadId, finisher, finishUntil });
      assert.equal(isHeld, model.hold(uploadId, finisher, finishUntil));
    },
    /** The next step of storing the file: read the parts, commit, remove the parts, forget them. */
    finish: (n: number) => finish(pick(finishes, n)),
    /** A caller that has hung. */
    finishOld: () => finish(finishes[0]),
    leave: async (n: number) => {
      const one = pick(finishes, n);
      if (one === undefined) return;
      await resumables.leaveFinish(one);
      model.leave(one.uploadId, one.finisher);
      endFinish(one);
    },
    /** By the owner, or by a finisher that does not like the content. */
    cancel: async (n: number) => {
      const one = n % 3 === 0 ? pick(finishes, n) : undefined;
      const uploadId = one?.uploadId ?? current;
      if (uploadId === undefined) return;
      const outcome = await resumables.cancel({ ...asked(uploadId), ...(one && { holder: one.finisher }) });
      assert.equal(outcome, model.cancel(uploadId, one?.finisher, now));
      if (one !== undefined) endFinish(one);
      // Otherwise the caller died here, and the parts belong to nobody.
      if (outcome === 'cancelled' && n % 2 === 0) parts.remove(uploadId);
    },
    wait: async (n: number) => {
      now += 1000 * (1 + (n % 600));
    },
    waitForLease: async () => {
      now += leaseMilliseconds;
    },
    waitForEnd: async () => {
      now += lifeMilliseconds;
    },
    waitNearEnd: async () => {
      now = Math.max(now, (model.find(current ?? '')?.expiresAt ?? 0) - 1);
    },
    crash: async (n: number) => {
      const node = n % 2;
      for (const one of appends) if (one.node === node) one.parts.crash(n % 7);
      appends = appends.filter((one) => one.node !== node);
      finishes = finishes.filter((one) => one.node !== node);
      sweeps = sweeps.filter((one) => one.node !== node);
    },
    list: async (n: number) => {
      for (const uploadId of await resumables.listEnded({ now, most: 1 + (n % 2) })) {
        assert.ok(!model.isLive(uploadId, now), 'a live upload is swept');
        model.end(uploadId);
        sweeps.push({ node: n % 2, uploadId, isRemoved: false });
      }
    },
    sweep: async (n: number) => {
      const one = pick(sweeps, n);
      if (one === undefined) return;
      if (one.isRemoved) await forget(one.uploadId);
      else parts.remove(one.uploadId);
      if (one.isRemoved) sweeps = sweeps.filter((other) => other !== one);
      one.isRemoved = true;
    },
    sweepUnknown: async () => {
      const old = parts.list().filter(({ modifiedAt }) => modifiedAt <= now - rememberSeconds * 1000);
      const ids = old.map(({ id }) => id);
      const known = new Set(await resumables.known(ids));
      for (const id of ids) if (!known.has(id)) parts.remove(id);
    },
  };
  return {
    steps,
    model,
    parts,
    content,
    now: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    current: () => current,
    shownOffset: () => shownOffset,
  };
}
