// The request of an app to sign a user in, after its checks.
import type { AppScope } from '../clients/app.ts';

export type AuthorizationRequest = {
  readonly appId: string;
  /** As the app sent it: the port of a loopback address may differ from the list. */
  readonly redirectUri: string;
  /** What the app asked for and may ask for. */
  readonly scopes: readonly AppScope[];
  readonly state: string | undefined;
  readonly nonce: string | undefined;
  /** The PKCE challenge, always by S256. */
  readonly challenge: string;
  readonly prompt: 'none' | 'login' | 'consent' | 'login consent' | undefined;
  readonly maxAgeSeconds: number | undefined;
  /** Languages in the order of preference, as sent. */
  readonly uiLocales: string | undefined;
  /** A phone number or an e-mail address to begin with, as sent. */
  readonly loginHint: string | undefined;
};
