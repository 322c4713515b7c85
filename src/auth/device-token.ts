// Device tokens: they mark a device on which a user has signed in. The service stores none of them.
import { hmacSha256, isSame } from '../kernel/digest.ts';
import { randomPart } from '../kernel/random.ts';
import type { Secrets } from '../kernel/secrets.ts';

/** Given to a device at every sign-in. */
export type DeviceToken = { readonly text: string; readonly lifeSeconds: number };

/** A device on which `userId` signed in, with the number that signed them in then. */
export type KnownDevice = {
  readonly id: string;
  readonly userId: string;
  /** Whether the device belongs to this phone number, without looking up who has it. */
  readonly isOf: (phone: string) => boolean;
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
  }: { userId: string; phone: string | undefined; known?: Pick<KnownDevice, 'id' | 'userId'> | undefined },
  now: number,
): DeviceToken {
  const key = secrets.currentKey('device token');
  const bytes = Buffer.alloc(bodyLength + macLength);
  const body = bytes.subarray(0, bodyLength);
  body[0] = version;
  body.write(secrets.currentId, 1, 'hex');
  const id = known?.userId === userId ? Buffer.from(known.id, 'base64url') : randomPart(idLength);
  id.copy(body, idAt);
  body.writeUInt32BE(Math.ceil(now / 1000 + deviceLifeSeconds), endAt);
  body.write(userId.replaceAll('-', ''), userAt, 'hex');
  markOf(key, phone ?? '').copy(body, markAt);
  macOf(key, body).copy(bytes, bodyLength);
  return { text: bytes.toString('base64url'), lifeSeconds: deviceLifeSeconds };
}

/** Undefined if the token is forged, expired, or from a secret that is no longer configured. */
export function readDevice(secrets: Secrets, text: string | undefined, now: number): KnownDevice | undefined {
  const bytes = text?.length === textLength ? Buffer.from(text, 'base64url') : undefined;
  if (bytes === undefined || bytes.toString('base64url') !== text) return undefined;
  const body = bytes.subarray(0, bodyLength);
  const key = body[0] === version ? secrets.findKey('device token', body.toString('hex', 1, 3)) : undefined;
  if (key === undefined || !isSame(macOf(key, body), bytes.subarray(bodyLength))) return undefined;
  if (now >= body.readUInt32BE(endAt) * 1000) return undefined;
  return {
    id: body.toString('base64url', idAt, endAt),
    userId: toUuid(body.toString('hex', userAt, markAt)),
    isOf: (phone) => isSame(markOf(key, phone), body.subarray(markAt)),
  };
}

function macOf(key: Buffer, body: Buffer): Buffer {
  return hmacSha256(key, `device\n${body.toString('base64url')}`).subarray(0, macLength);
}

/** Keyed, so that the token does not tell the number. */
function markOf(key: Buffer, phone: string): Buffer {
  return hmacSha256(key, `phone\n${phone}`).subarray(0, markLength);
}

function toUuid(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
