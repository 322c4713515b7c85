// Seals bytes that leave this machine: AES-256-GCM in chunks, each bound to its position, to the end, and to the name of the whole.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { BackupKey } from '../backup-mac.ts';
import { BackupError } from '../snapshot.ts';

const magic = Buffer.from('GHS1');
const idBytes = 4;
const saltBytes = 16;
const headBytes = magic.length + idBytes + saltBytes;
const chunkBytes = 64 * 1024;
const tagBytes = 16;

/** The size after sealing. */
export function sealedSize(size: number): number {
  return headBytes + size + tagBytes * Math.max(1, Math.ceil(size / chunkBytes));
}

type Sealer = {
  /** Sealed bytes, as soon as they cannot be the last chunk. May be empty. */
  push(bytes: Buffer): Buffer;
  end(): Buffer;
};

/** The name is not in the sealed bytes. The reader must know it: moved under another name, they do not open. */
export function createSealer(key: BackupKey, name: string): Sealer {
  const salt = randomBytes(saltBytes);
  const chunkKey = keyFor(key, salt, name);
  let ready: Buffer[] = [Buffer.concat([magic, Buffer.from(key.id, 'hex'), salt])];
  let rest: Buffer = Buffer.alloc(0);
  let index = 0;
  const seal = (chunk: Buffer, isLast: boolean) => {
    const cipher = createCipheriv('aes-256-gcm', chunkKey, nonceOf(index, isLast));
    ready.push(cipher.update(chunk), cipher.final(), cipher.getAuthTag());
    index += 1;
  };
  const take = () => {
    const taken = Buffer.concat(ready);
    ready = [];
    return taken;
  };
  return {
    push: (bytes) => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
      let at = 0;
      for (; rest.length - at > chunkBytes; at += chunkBytes) seal(rest.subarray(at, at + chunkBytes), false);
      rest = Buffer.from(rest.subarray(at));
      return take();
    },
    end: () => {
      seal(rest, true);
      return take();
    },
  };
}

/** `shown` is the name in messages. */
type SealedName = { readonly name: string; readonly shown?: string };

/** Gives only bytes that were sealed with one of the keys under this name. Throws BackupError for everything else, also if the end is missing. */
export async function* openSealed(
  keys: readonly BackupKey[],
  { name, shown = name }: SealedName,
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
): AsyncIterable<Buffer> {
  let chunkKey: Buffer | undefined;
  let rest: Buffer = Buffer.alloc(0);
  let index = 0;
  const open = (sealed: Buffer, isLast: boolean): Buffer => {
    if (chunkKey === undefined || sealed.length < tagBytes) throw damaged(shown);
    const cipher = createDecipheriv('aes-256-gcm', chunkKey, nonceOf(index, isLast));
    index += 1;
    cipher.setAuthTag(sealed.subarray(-tagBytes));
    const bytes = cipher.update(sealed.subarray(0, -tagBytes));
    try {
      cipher.final();
    } catch {
      throw damaged(shown);
    }
    return bytes;
  };
  for await (const bytes of source) {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    if (chunkKey === undefined && rest.length >= headBytes) {
      chunkKey = readHead(keys, { name, shown }, rest);
      rest = rest.subarray(headBytes);
    }
    if (chunkKey === undefined) continue;
    const step = chunkBytes + tagBytes;
    let at = 0;
    for (; rest.length - at > step; at += step) yield open(rest.subarray(at, at + step), false);
    rest = Buffer.from(rest.subarray(at));
  }
  yield open(rest, true);
}

function readHead(keys: readonly BackupKey[], { name, shown = name }: SealedName, head: Buffer): Buffer {
  return keyFor(keyOf(keys, shown, head), head.subarray(magic.length + idBytes, headBytes), name);
}

/** The key that it says it was sealed with. */
export function keyOf(keys: readonly BackupKey[], shown: string, head: Buffer): BackupKey {
  if (head.length < headBytes || !head.subarray(0, magic.length).equals(magic)) throw damaged(shown);
  const id = head.toString('hex', magic.length, magic.length + idBytes);
  const key = keys.find((one) => one.id === id);
  if (key === undefined)
    throw new BackupError(
      `${shown} was sealed with another BACKUP_KEY (${id}). Set BACKUP_KEY or BACKUP_KEY_PREVIOUS to the key of that time.`,
    );
  return key;
}

/** A key for each object, so that no nonce is ever used twice with one. */
function keyFor({ sealing }: BackupKey, salt: Buffer, name: string): Buffer {
  return Buffer.from(hkdfSync('sha256', sealing, salt, `gatehouse sealed ${name}`, 32));
}

function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32BE(index, 7);
  nonce[11] = isLast ? 1 : 0;
  return nonce;
}

function damaged(name: string): BackupError {
  return new BackupError(`${name} is damaged, or was not sealed with BACKUP_KEY.`);
}
