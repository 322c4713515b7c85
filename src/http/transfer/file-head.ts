// What all answers with a file have in common: its headers, its ETag and its date. Kept for files that were served lately.
import { create } from 'content-disposition';
import { isMediaType, type MediaFamily, mediaTypes } from '#media/media-type';
import type { StoredFile } from '../../files/stored-file.ts';

export type FileHead = {
  readonly etag: string;
  readonly modified: Date;
  readonly disposition: string;
  /** Those of the whole file. */
  readonly headers: Readonly<Record<string, string>>;
};

type Disposition = 'attachment' | 'inline';

export type FileHeads = (file: StoredFile, disposition: Disposition) => FileHead;

/** About a kilobyte each. */
const mostKept = 1000;

/** A head is used again only for the same record: what it is made of is compared. */
export function createFileHeads(most = mostKept): FileHeads {
  const kept = new Map<string, { readonly file: StoredFile; readonly type: Disposition; readonly head: FileHead }>();
  return (file, type) => {
    const known = kept.get(file.id);
    if (known?.type === type && isSame(known.file, file)) return known.head;
    const head = describeFile(file, type);
    if (kept.size >= most) kept.clear();
    kept.set(file.id, { file, type, head });
    return head;
  };
}

function isSame(one: StoredFile, other: StoredFile): boolean {
  return (
    one.sha256 === other.sha256 &&
    one.name === other.name &&
    one.type === other.type &&
    one.charset === other.charset &&
    one.size === other.size &&
    one.createdAt === other.createdAt
  );
}

/** A stored file must not run scripts, be framed, have its type guessed, or be kept by a shared cache. */
export function describeFile(file: StoredFile, type: Disposition): FileHead {
  const digest = Buffer.from(file.sha256, 'hex');
  const etag = `"${digest.toString('base64url')}"`;
  const modified = new Date(Math.floor(file.createdAt / 1000) * 1000);
  const disposition = create(file.name, { type });
  const { isText, sandbox } = isMediaType(file.type) ? servedAs[mediaTypes[file.type].family] : inert;
  const headers = {
    'content-type': isText ? `${file.type}; charset=${file.charset ?? 'utf-8'}` : file.type,
    'content-length': String(file.size),
    'content-disposition': disposition,
    'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; ${sandbox}`,
    'cross-origin-resource-policy': 'same-site',
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    etag,
    'last-modified': modified.toUTCString(),
    'repr-digest': `sha-256=:${digest.toString('base64')}:`,
    vary: 'Authorization, Cookie, Origin',
  };
  return { etag, modified, disposition, headers };
}

type Served = { readonly isText: boolean; readonly sandbox: 'sandbox' | 'sandbox allow-same-origin' };

const inert: Served = { isText: false, sandbox: 'sandbox' };
/** A media player requests ranges from inside the sandbox. Without `allow-same-origin` it would send no cookie. Scripts stay forbidden. */
const played: Served = { ...inert, sandbox: 'sandbox allow-same-origin' };

const servedAs: Readonly<Record<MediaFamily, Served>> = {
  image: inert,
  document: inert,
  text: { ...inert, isText: true },
  archive: inert,
  audio: played,
  video: played,
};
