// Ask tokens: they distinguish the client that requested a code from strangers who guess it. The service stores none of them.
import { bodyStart, createOpaqueTokens } from '../../kernel/crypto/opaque-token.ts';
import { writeRandom } from '../../kernel/crypto/random.ts';
import type { Secrets } from '../../kernel/crypto/secrets.ts';
import type { CodeSubject } from './challenge.ts';

/** Returned with every request for a code, whether or not the recipient has an account. */
export type AskToken = { readonly text: string; readonly lifeSeconds: number };

const version = 1;
const idLength = 9;
const endAt = bodyStart + idLength;

const tokens = createOpaqueTokens<CodeSubject>({
  purpose: 'ask token',
  bodyLength: endAt + 4,
  signed: (body, { purpose, recipient, userId = '' }) =>
    `${body.toString('base64url')}\n${purpose}\n${recipient}\n${userId}`,
});

/** Expires with a code that is sent now. */
export function writeAskToken(secrets: Secrets, subject: CodeSubject, lifeSeconds: number, now: number): AskToken {
  const text = tokens.write(secrets, version, subject, ({ body }) => {
    writeRandom(body, bodyStart, idLength);
    body.writeUInt32BE(Math.ceil(now / 1000 + lifeSeconds), endAt);
  });
  return { text, lifeSeconds };
}

/** Returns the id of the client that requested the code. Undefined if the token is forged, expired or for another recipient. */
export function readAsker(
  secrets: Secrets,
  text: string | undefined,
  subject: CodeSubject,
  now: number,
): string | undefined {
  const token = tokens.read(secrets, version, subject, text);
  if (token === undefined || now >= token.body.readUInt32BE(endAt) * 1000) return undefined;
  return token.body.toString('base64url', bodyStart, endAt);
}
