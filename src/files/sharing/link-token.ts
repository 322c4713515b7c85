// The token in a link to a file. It carries what the link says and a MAC over it, so nobody but this service can make or change one.

import { hmacSha256, isSame } from '../../kernel/crypto/digest.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import type { FileId } from '../../kernel/ids.ts';
import type { LinkClaim } from './file-link.ts';

const version = 1;

/** Where each part begins: the version, the end in seconds, the epoch, the id of the link, the MAC. */
const at = { version: 0, end: 1, epoch: 6, id: 10, mac: 22, length: 38 } as const;

const keyPurpose = 'file link';

export function writeLinkToken(secrets: Secrets, { fileId, linkId, epoch, expiresAt }: LinkClaim): string {
  const claim = Buffer.alloc(at.mac);
  claim.writeUInt8(version, at.version);
  claim.writeUIntBE(expiresAt / 1000, at.end, at.epoch - at.end);
  claim.writeUInt32BE(epoch, at.epoch);
  claim.write(linkId, at.id, 'base64url');
  return Buffer.concat([claim, macOf(secrets.currentKey(keyPurpose), claim, fileId)]).toString('base64url');
}

type ReadLinkToken = LinkClaim & { readonly isGenuine: boolean };

/** Whether the text has the shape of a token. That says nothing about what it opens. */
export function isLinkToken(text: string): boolean {
  // The last character has two bits to spare. Each token has one spelling only.
  return /^[A-Za-z0-9_-]{51}$/.test(text) && Buffer.from(text, 'base64url').toString('base64url') === text;
}

/** Undefined if the text does not have the shape of a token. Otherwise a token of ours and any other take the same steps. */
export function readLinkToken(secrets: Secrets, fileId: FileId, text: string): ReadLinkToken | undefined {
  if (!isLinkToken(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  const claim = bytes.subarray(0, at.mac);
  const mac = bytes.subarray(at.mac);
  // Every secret is tried, also after one that fits.
  const fitting = secrets.ids.filter((secretId) => {
    const key = secrets.findKey(keyPurpose, secretId);
    return key !== undefined && isSame(macOf(key, claim, fileId), mac);
  });
  return {
    fileId,
    linkId: claim.toString('base64url', at.id),
    epoch: claim.readUInt32BE(at.epoch),
    expiresAt: claim.readUIntBE(at.end, at.epoch - at.end) * 1000,
    isGenuine: fitting.length > 0 && claim.readUInt8(at.version) === version,
  };
}

function macOf(key: Buffer, claim: Buffer, fileId: FileId): Buffer {
  return hmacSha256(key, Buffer.concat([claim, Buffer.from(fileId)])).subarray(0, at.length - at.mac);
}
