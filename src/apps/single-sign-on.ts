// The cookie SSO tells apps' requests which session of this service the browser has. It opens nothing else.
import { seal, unseal } from '../kernel/seal.ts';
import type { Secrets } from '../kernel/secrets.ts';

const longest = 512;

export function writeSingleSignOn(secrets: Secrets, sessionId: string): string {
  return seal(secrets, 'single sign-on', Buffer.from(sessionId));
}

/** The session id. Undefined if the text is forged, or from a secret that is no longer configured. The session may have ended. */
export function readSingleSignOn(secrets: Secrets, text: string): string | undefined {
  return text.length > longest ? undefined : unseal(secrets, 'single sign-on', text)?.toString();
}
