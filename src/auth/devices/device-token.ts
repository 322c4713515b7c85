// Device tokens: they mark a device on which a user has signed in. The service stores none of them.

import { isMac, writeMac } from '../../kernel/crypto/digest.ts';
import { bodyStart, createOpaqueTokens } from '../../kernel/crypto/opaque-token.ts';
import { writeRandom } from '../../kernel/crypto/random.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import { readUuid, writeUuid } from '../../kernel/crypto/uuid.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { PhoneNumber, Recipient } from '../../kernel/recipient.ts';

/** Given to a device at every sign-in. */
export type DeviceToken = { readonly text: string; readonly lifeSeconds: number };

/** A device on which `userId` signed in, with the number that signed them in then. */
export type KnownDevice = {
  readonly id: string;
  readonly userId: UserId;
  /** Whether the device belongs to this phone number, without looking up who has it. */
  readonly isOf: (recipient: Recipient) => boolean;
};

export const deviceLifeSeconds = 365 * 86_400;

const version = 1;
const idAt = bodyStart;
const idLength = 9;
const endAt = idAt + idLength;
const userAt = endAt + 4;
const userLength = 16;
const markAt = userAt + userLength;
const markLength = 8;
const bodyLength = markAt + markLength;

const tokens = createOpaqueTokens<void>({
  purpose: 'device token',
  bodyLength,
  signed: (body) => `device\n${body.toString('base64url')}`,
});

/** `known`: the device that signs in again keeps its id, and its year starts anew. */
export function writeDeviceToken(
  secrets: Secrets,
  {
    userId,
    phone,
    known,
  }: { userId: UserId; phone: PhoneNumber | undefined; known?: Pick<KnownDevice, 'id' | 'userId'> | undefined },
  now: number,
): DeviceToken {
  const text = tokens.write(secrets, version, undefined, ({ body, key }) => {
    if (known?.userId === userId) body.write(known.id, idAt, idLength, 'base64url');
    else writeRandom(body, idAt, idLength);
    body.writeUInt32BE(Math.ceil(now / 1000 + deviceLifeSeconds), endAt);
    writeUuid(body, userId, userAt);
    writeMac(key, phoneText(phone ?? ''), body, markAt, markLength);
  });
  return { text, lifeSeconds: deviceLifeSeconds };
}

/** Undefined if the token is forged, expired, or from a secret that is no longer configured. */
export function readDevice(secrets: Secrets, text: string | undefined, now: number): KnownDevice | undefined {
  const token = tokens.read(secrets, version, undefined, text);
  if (token === undefined || now >= token.body.readUInt32BE(endAt) * 1000) return undefined;
  const { body, key } = token;
  return {
    id: body.toString('base64url', idAt, endAt),
    userId: readUuid(body, userAt) as UserId,
    isOf: (phone) => isMac(key, phoneText(phone), body.subarray(markAt)),
  };
}

/** Its keyed hash is in the token, so the token does not reveal the number. */
function phoneText(phone: Recipient | ''): string {
  return `phone\n${phone}`;
}
