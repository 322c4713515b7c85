// Links to files: made, listed, revoked, opened and counted.

import { refuseOwner } from '../../../../files/owner-state.ts';
import type { FileLink, LinkAsk, LinkOpening, OwnFile, SharingRefusal } from '../../../../files/sharing/file-link.ts';
import {
  countsUse,
  isOwn,
  judgeNewLink,
  opens,
  sharedEvent,
  unsharedEvent,
} from '../../../../files/sharing/sharing-rules.ts';
import type { StoredFile } from '../../../../files/stored-file.ts';
import type { DatedEvent } from '../../../../kernel/audit.ts';
import type { UserId } from '../../../../kernel/ids.ts';
import { insert, listBy, openRows, remove } from '../../../engine/rows.ts';
import type { Row } from '../../../engine/schema.ts';
import { sql } from '../../../engine/sql.ts';
import { statement } from '../../../engine/statement.ts';
import { lookup, operation, reading, type Transaction } from '../../../engine/transaction.ts';
import { writeAudit } from '../../audit.ts';
import { toFile, toSharedFile } from '../file-rows.ts';
import { openOwners } from '../owners.ts';

export const createLink = operation(
  async (transaction, inputs: readonly LinkAsk[]): Promise<(FileLink | SharingRefusal)[]> => {
    const owners = await openOwners(
      transaction,
      inputs.map((ask) => ask.userId),
    );
    const { files, links } = await openLinks(transaction, inputs);
    const made = new Map<string, Row<'file_links'>>();
    const dropped = new Set<string>();
    const events: DatedEvent[] = [];
    const outputs = inputs.map((ask) => {
      const refusal = refuseOwner(owners(ask.userId), undefined);
      if (refusal !== undefined) return refusal;
      const row = files.get(ask.fileId);
      const before = links.get(ask.fileId) ?? [];
      const judged = judgeNewLink(row && toSharedFile(row), before, ask);
      if (typeof judged === 'string') return judged;
      for (const id of judged.dropped) if (!made.delete(id)) dropped.add(id);
      made.set(ask.id, fromLink(judged.link, ask.userId));
      links.set(ask.fileId, [...before.filter(({ id }) => !judged.dropped.includes(id)), judged.link]);
      events.push(sharedEvent(ask));
      return judged.link;
    });
    await removeLinks(transaction, dropped);
    await insert(transaction, 'file_links', [...made.values()]);
    await writeAudit(transaction, events);
    return outputs;
  },
);

export const listLinks = reading(
  async (transaction, inputs: readonly OwnFile[]): Promise<(FileLink[] | undefined)[]> => {
    const ids = inputs.map((input) => input.fileId);
    // The links first: a file that is deleted in between is then missing, and not there without its links.
    const [rows, files] = await Promise.all([
      listBy(transaction, 'file_links', 'file_id', ids),
      openRows(transaction, 'files', 'id', ids),
    ]);
    const byFile = Map.groupBy(rows, (row) => row.file_id);
    return inputs.map((input) => {
      const row = files.get(input.fileId);
      const file = row && toSharedFile(row);
      if (!isOwn(file, input)) return undefined;
      return (byFile.get(input.fileId) ?? [])
        .map(toLink)
        .filter(({ epoch, expiresAt }) => epoch === file.epoch && expiresAt > input.now)
        .sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1));
    });
  },
);

type Revocation = OwnFile & { readonly linkId?: string };

export const revokeLinks = operation(async (transaction, inputs: readonly Revocation[]): Promise<boolean[]> => {
  const { files, links } = await openLinks(transaction, inputs);
  const gone = new Set<string>();
  const events: DatedEvent[] = [];
  const outputs = inputs.map((input) => {
    const { fileId, linkId } = input;
    const row = files.get(fileId);
    if (row === undefined || !isOwn(toSharedFile(row), input)) return false;
    const known = links.get(fileId) ?? [];
    const revoked = known.map(({ id }) => id).filter((id) => linkId === undefined || id === linkId);
    if (linkId === undefined) files.put({ ...row, link_epoch: (row.link_epoch ?? 0) + 1 });
    else if (revoked.length === 0) return false;
    links.set(
      fileId,
      known.filter(({ id }) => !revoked.includes(id)),
    );
    for (const id of revoked) gone.add(id);
    const event = unsharedEvent(input, revoked);
    if (event !== undefined) events.push(event);
    return true;
  });
  await files.save();
  await removeLinks(transaction, gone);
  await writeAudit(transaction, events);
  return outputs;
});

type Opened = { readonly file: StoredFile; readonly link: FileLink };

/** Three statements that do not wait for each other, whatever the link is worth. */
export const openLink = lookup(async (transaction, inputs: readonly LinkOpening[]): Promise<(Opened | undefined)[]> => {
  const fileIds = inputs.map((input) => input.fileId);
  const [files, links, owners] = await Promise.all([
    openRows(transaction, 'files', 'id', fileIds),
    openRows(
      transaction,
      'file_links',
      'id',
      inputs.map((input) => input.linkId),
    ),
    transaction.all(freeOwnersOf, { wanted: fileIds.map((id) => ({ id })) }),
  ]);
  const free = new Set(owners.map(({ id }) => id));
  return inputs.map((input) => {
    const [file, row] = [files.get(input.fileId), links.get(input.linkId)];
    if (file === undefined || row === undefined) return undefined;
    const link = toLink(row);
    const isOpen = opens(link, { ...toSharedFile(file), isOwnerFree: free.has(file.user_id) }, input);
    return isOpen ? { file: toFile(file), link } : undefined;
  });
});

/** Locks the row of the link, so that no two processes count the same use. */
export const countUse = operation(async (transaction, inputs: readonly LinkOpening[]): Promise<boolean[]> => {
  const links = await openRows(
    transaction,
    'file_links',
    'id',
    inputs.map((input) => input.linkId),
  );
  const outputs = inputs.map((input) => {
    const row = links.get(input.linkId);
    if (row === undefined || !countsUse(toLink(row), input)) return false;
    links.put({ ...row, used: row.used + 1 });
    return true;
  });
  await links.save();
  return outputs;
});

/** The file is locked first: whoever changes its links waits for whoever else does, and for its deletion. */
async function openLinks(transaction: Transaction, inputs: readonly OwnFile[]) {
  const ids = [...new Set(inputs.map((input) => input.fileId))];
  const files = await openRows(transaction, 'files', 'id', ids);
  const rows = await transaction.all(lockLinksOf, { wanted: ids.map((id) => ({ file_id: id })) });
  const links = new Map(Map.groupBy(rows.map(toLink), (link) => link.fileId));
  return { files, links };
}

function removeLinks(transaction: Transaction, ids: ReadonlySet<string>): Promise<void> {
  return remove(
    transaction,
    'file_links',
    [...ids].map((id) => ({ id })),
  );
}

export const lockLinksOf = statement<Row<'file_links'>>(({ all, isAmong, keyOrder, lock }) => {
  const areTheirs = isAmong('file_links', 'file_id', 'wanted');
  return sql`select ${all('file_links')} from file_links where ${areTheirs} order by ${keyOrder('file_links')} ${lock()}`;
});

/** The owners of files who are not blocked. */
const freeOwnersOf = statement<{ id: string }>(
  ({ isAmong }) => sql`select users.id from files join users on users.id = files.user_id
    where ${isAmong('files', 'id', 'wanted')} and users.blocked_at is null`,
);

function toLink(row: Row<'file_links'>): FileLink {
  return {
    id: row.id,
    fileId: row.file_id,
    epoch: row.epoch,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    uses: row.uses ?? undefined,
    used: row.used,
  };
}

function fromLink(link: FileLink, userId: UserId): Row<'file_links'> {
  return {
    id: link.id,
    file_id: link.fileId,
    user_id: userId,
    epoch: link.epoch,
    created_at: link.createdAt,
    expires_at: link.expiresAt,
    uses: link.uses ?? null,
    used: link.used,
    sweep_at: link.expiresAt,
  };
}
