// The cookie SSO shows which session of this service the browser has, to requests of apps and the consent to them. It opens nothing else.
import type { SessionId } from '../auth/sessions/session-id.ts';
import { hmacSha256, isSame } from '../kernel/crypto/digest.ts';
import { unseal } from '../kernel/crypto/seal.ts';
import type { Secrets } from '../kernel/crypto/secrets.ts';

const longest = 512;

/** The id of the secret, that of the session, and a MAC. The browser also has the id in its access token, so it is not encrypted. */
export function writeSingleSignOn(secrets: Secrets, sessionId: SessionId): string {
  return write(secrets.currentKey('browser session'), secrets.currentId, sessionId);
}

/** The session id. Undefined if the text is forged, or from a secret that is no longer configured. The session may have ended. */
export function readSingleSignOn(secrets: Secrets, text: string): SessionId | undefined {
  if (text.length > longest) return undefined;
  const [secretId = '', sessionId = ''] = text.split('.', 2);
  const key = secrets.findKey('browser session', secretId);
  if (key !== undefined && isSame(text, write(key, secretId, sessionId))) return sessionId as SessionId;
  // The cookie of an older version.
  return unseal(secrets, 'single sign-on', text)?.toString() as SessionId | undefined;
}

function write(key: Buffer, secretId: string, sessionId: string): string {
  return `${secretId}.${sessionId}.${hmacSha256(key, sessionId, 'base64url')}`;
}
