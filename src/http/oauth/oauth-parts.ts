// What the endpoints of OpenID Connect work with.
import type { AppDeps } from '../../apps/deps.ts';
import type { AccessCheck } from '../../auth/tokens/check-access-token.ts';
import type { CookieWriter } from '../interface/cookies.ts';
import type { PageSender } from '../pages/page-routes.ts';

export type OAuthParts = {
  readonly deps: AppDeps;
  /** The issuer. */
  readonly publicUrl: string;
  readonly cookies: CookieWriter;
  readonly checkAccess: AccessCheck;
  readonly sendPage: PageSender;
  /** Throws RATE_LIMITED. Counts the requests of one app that proved its secret. */
  readonly countApp: (appId: string) => void;
  /** The same for the IP address of any other request. */
  readonly countAddress: (address: string) => void;
};
