// Device tokens: they mark a device on which a user has signed in. The service stores none of them.

import { isMac, writeMac } from '../../kernel/crypto/digest.ts';
import { randomPart } from '../../kernel/crypto/random.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import { readUuid, writeUuid } from '../../kernel/crypto/uuid.ts';
import type { PhoneNumber } from '../identity/phone-number.ts';

/** Given to a device at every sign-in. */
export type DeviceToken = { readonly text: string; readonly lifeSeconds: number };

/** A device on which `userId` signed in, with the number that signed them in then. */
export type KnownDevice = {
  readonly id: string;
  readonly userId: string;
  /** Whether the device belongs to this phone number, without looking up who has it. */
  readonly isOf: (recipient: string) => boolean;
};

export const deviceLifeSeconds = 365 * 86_400;

const version = 1;
const idAt = 3;
const idLength = 9;
const endAt = idAt + idLength;
const userAt = endAt + 4;
const userLength = 16;
const markAt = userAt + userLength;
const markLength = 8;
const bodyLength = markAt + markLength;
const macLength = 16;
const textLength = Math.ceil(((bodyLength + macLength) * 4) / 3);

/** `known`: the device that signs in again keeps its id, and its year starts anew. */
export function writeDeviceToken(
  secrets: Secrets,
  {
    userId,
    phone,
    known,
  }: { userId: string; phone: PhoneNumber | undefined; known?: Pick<KnownDevice, 'id' | 'userId'> | undefined },
  now: number,
): DeviceToken {
  const key = secrets.currentKey('device token');
  const bytes = Buffer.alloc(bodyLength + macLength);
  bytes[0] = version;
  bytes.write(secrets.currentId, 1, 'hex');
  const id = known?.userId === userId ? Buffer.from(known.id, 'base64url') : randomPart(idLength);
  id.copy(bytes, idAt);
  bytes.writeUInt32BE(Math.ceil(now / 1000 + deviceLifeSeconds), endAt);
  writeUuid(bytes, userId, userAt);
  writeMac(key, phoneText(phone ?? ''), bytes, markAt, markLength);
  writeMac(key, bodyText(bytes), bytes, bodyLength, macLength);
  return { text: bytes.toString('base64url'), lifeSeconds: deviceLifeSeconds };
}

/** Undefined if the token is forged, expired, or from a secret that is no longer configured. */
export function readDevice(secrets: Secrets, text: string | undefined, now: number): KnownDevice | undefined {
  const bytes = text?.length === textLength ? Buffer.from(text, 'base64url') : undefined;
  if (bytes === undefined || bytes.toString('base64url') !== text) return undefined;
  const key = bytes[0] === version ? secrets.findKey('device token', bytes.toString('hex', 1, 3)) : undefined;
  if (key === undefined || !isMac(key, bodyText(bytes), bytes.subarray(bodyLength))) return undefined;
  if (now >= bytes.readUInt32BE(endAt) * 1000) return undefined;
  return {
    id: bytes.toString('base64url', idAt, endAt),
    userId: readUuid(bytes, userAt),
    isOf: (phone) => isMac(key, phoneText(phone), bytes.subarray(markAt, bodyLength)),
  };
}

function bodyText(bytes: Buffer): string {
  return `device\n${bytes.toString('base64url', 0, bodyLength)}`;
}

/** Its keyed hash is in the token, so that the token does not tell the number. */
function phoneText(phone: string): string {
  return `phone\n${phone}`;
}
