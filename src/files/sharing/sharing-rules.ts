// The rules of sharing a file: who may make a link, whether a link opens its file, and which events an act gives.

import type { DatedEvent } from '../../kernel/audit.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { StoredFile } from '../stored-file.ts';
import { isVisible } from '../trash/trash-rules.ts';
import {
  type FileLink,
  type LinkAsk,
  type LinkOpening,
  type OwnFile,
  type ReadersChange,
  type SharingRefusal,
  sharingLimits,
} from './file-link.ts';

/** A file as these rules see it. */
export type SharedFile = Pick<StoredFile, 'userId' | 'purpose' | 'deletedAt' | 'keepUntil'> & {
  readonly epoch: number;
};

/** Whether the user has the file. A file in the trash is no file to share. */
export function isOwn(file: SharedFile | undefined, { userId, now }: OwnFile): file is SharedFile {
  return file !== undefined && file.userId === userId && isVisible(file, now);
}

/** The new link, and the old ones that can go: those whose time is over, and used-up ones if there are too many. */
export function judgeNewLink(
  file: SharedFile | undefined,
  links: readonly FileLink[],
  ask: LinkAsk,
): SharingRefusal | { readonly link: FileLink; readonly dropped: readonly string[] } {
  if (!isOwn(file, ask)) return 'not found';
  if (!ask.purposes.includes(file.purpose)) return 'not allowed';
  const works = links.filter((link) => isAlive(link, file.epoch, ask.now));
  if (works.length >= sharingLimits.linksPerFile) return 'full';
  const { id, fileId, now, expiresAt, uses } = ask;
  const link = { id, fileId, epoch: file.epoch, createdAt: now, expiresAt, uses, used: 0 };
  const dropped = links.filter((each) =>
    links.length >= sharingLimits.linksPerFile ? !works.includes(each) : each.expiresAt <= now,
  );
  return { link, dropped: dropped.map((each) => each.id) };
}

/** Whether the time of the link is not over, it was not revoked, and it is not used up. */
export function isAlive({ epoch, expiresAt, uses, used }: FileLink, fileEpoch: number, now: number): boolean {
  return epoch === fileEpoch && expiresAt > now && (uses === undefined || used < uses);
}

/** Whether a link opens the file. `isOwnerFree`: links of a blocked owner open nothing. */
export function opens(
  link: FileLink,
  file: SharedFile & { readonly isOwnerFree: boolean },
  opening: LinkOpening,
): boolean {
  return (
    isMeant(link, opening) && file.isOwnerFree && isVisible(file, opening.now) && isAlive(link, file.epoch, opening.now)
  );
}

/** Whether one more use of the link counts. Revocation removes the link, and the file was looked at before. */
export function countsUse(link: FileLink, opening: LinkOpening): boolean {
  return isMeant(link, opening) && link.uses !== undefined && isAlive(link, opening.epoch, opening.now);
}

function isMeant(link: FileLink, { fileId, epoch, expiresAt }: LinkOpening): boolean {
  return link.fileId === fileId && link.epoch === epoch && link.expiresAt === expiresAt;
}

export function sharedEvent({ fileId, userId, id, expiresAt, uses, now }: LinkAsk): DatedEvent {
  const until = new Date(expiresAt).toISOString();
  return { kind: 'file.shared', userId, detail: { file: fileId, link: id, until, ...(uses && { uses }) }, now };
}

/** Undefined if there was nothing to revoke. */
export function unsharedEvent({ fileId, userId, now }: OwnFile, revoked: readonly string[]): DatedEvent | undefined {
  const [link] = revoked;
  if (link === undefined) return undefined;
  const detail = { file: fileId, links: revoked.length, ...(revoked.length === 1 && { link }) };
  return { kind: 'file.unshared', userId, detail, now };
}

/** The readers that come and go; the owner needs no place among them. */
export function judgeReaders(
  file: SharedFile | undefined,
  before: readonly UserId[],
  change: ReadersChange,
): SharingRefusal | { readonly added: readonly UserId[]; readonly removed: readonly UserId[] } {
  if (!isOwn(file, change)) return 'not found';
  if (!change.purposes.includes(file.purpose)) return 'not allowed';
  const wanted = new Set(change.readers.filter((reader) => reader !== change.userId));
  const known = new Set(before);
  return {
    added: [...wanted].filter((reader) => !known.has(reader)),
    removed: before.filter((reader) => !wanted.has(reader)),
  };
}

/** Whose readers changed, and how many. Undefined if none did. */
export function readersEvent(
  { fileId, userId, now }: ReadersChange,
  { added, removed }: { readonly added: readonly string[]; readonly removed: readonly string[] },
): DatedEvent | undefined {
  if (added.length + removed.length === 0) return undefined;
  return {
    kind: 'file.readers-changed',
    userId,
    detail: { file: fileId, added: added.length, removed: removed.length },
    now,
  };
}
