// The entry point for the back end of an app: calls with a service key, and the user of an incoming request. Never for browsers.
import { type ErrorCode, GatehouseError } from './gatehouse-error.ts';
import { createServiceEvents, type FollowedEvent, type FollowOptions } from './service-events.ts';
import {
  type ContentOptions,
  createServiceFiles,
  type ListOptions,
  type ServiceUploadOptions,
} from './service-files.ts';
import type { Calls, Event, File, Session, User } from './service-types.ts';
import { createServiceUsers, type UserChange, type WantedUser } from './service-users.ts';
import { createServiceWire } from './service-wire.ts';
import { createVerifier } from './verifier.ts';
import { type RequestHeaders, type VerifiedRequest, type VerifyOptions, verifyRequest } from './verify-request.ts';
import { verifyWebhook } from './verify-webhook.ts';
import { withoutSlash } from './without-slash.ts';

export type {
  ContentOptions,
  ErrorCode,
  Event,
  File,
  FollowedEvent,
  FollowOptions,
  ListOptions,
  RequestHeaders,
  ServiceUploadOptions,
  Session,
  User,
  UserChange,
  VerifiedRequest,
  VerifyOptions,
  WantedUser,
};
export { GatehouseError, verifyWebhook };

export type ServiceOptions = {
  /** URL of the service, as your server reaches it. Without one, createService throws. */
  readonly url: string | undefined;
  /** The service key: `gks_…`. Read it from a secret, not from your code. Without one, createService throws. */
  readonly key: string | undefined;
  /** The service's PUBLIC_URL, if `url` is another address inside your network. Default: `url`. */
  readonly issuer?: string | undefined;
  /** The expected audience of access tokens. Default: the issuer, as the service sets it. */
  readonly audience?: string | undefined;
  /** Replaces the global `fetch`, for example in tests. */
  readonly fetch?: typeof fetch | undefined;
  /** How long to wait for a response, in milliseconds. Default: 20,000. It does not apply to the time that an upload takes. */
  readonly timeout?: number | undefined;
};

export type Service = ReturnType<typeof createService>;

const usualTimeoutMilliseconds = 20_000;

/**
 * Creates the client of your back end. Create it once. It retries reading calls and uploads up to three times, and every call that
 * the service refuses with 429. It throws in a browser: a key in a page belongs to every visitor.
 * @example
 * import { createService } from '@gatehouse/client/service';
 *
 * const service = createService({ url: 'https://id.example.com', key: process.env.GATEHOUSE_KEY });
 * const { id } = await service.users.find({ email: 'ann@example.com' });
 */
export function createService({ url, key, issuer, audience, fetch: given, timeout }: ServiceOptions) {
  if ('window' in globalThis)
    throw new Error('createService must not run in a browser: every visitor of the page would have the service key');
  if (url === undefined || !/^https?:\/\/./i.test(url))
    throw new TypeError('createService needs the url of the service: https://…');
  const base = withoutSlash(url);
  const ask: typeof fetch = given ?? ((input, init) => globalThis.fetch(input, init));
  const wire = createServiceWire({ base, key: key ?? '', fetch: ask, timeout: timeout ?? usualTimeoutMilliseconds });
  const { verify } = createVerifier({ url: base, issuer, audience, fetch: ask });
  const check = (token: string): Promise<Calls['checkToken']['data']> =>
    wire.ask('checkToken', 'read', { body: { token } });

  return {
    users: createServiceUsers(wire),
    files: createServiceFiles(wire),
    events: createServiceEvents(wire),
    tokens: {
      /**
       * Asks the service about an access token. It sees at once that a session has ended.
       * @example
       * const answer = await service.tokens.check(token);
       * if (answer.active) console.log(answer.sub);
       */
      check,
    },
    /**
     * Returns the user of an incoming request: of the access token in the header Authorization, or in the cookie JWT. It verifies
     * the token with the public keys of the service, without a request. Throws a GatehouseError with status 401 if there is no
     * valid token, and with status 503 if the keys cannot be fetched.
     * @example
     * const { userId, claims } = await service.verifyRequest(request.headers);
     */
    verifyRequest: (headers: RequestHeaders, options?: VerifyOptions): Promise<VerifiedRequest> =>
      verifyRequest({ verify, isActive: async (token) => (await check(token)).active }, headers, options),
  };
}
