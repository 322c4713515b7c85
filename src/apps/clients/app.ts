// An app that signs its users in here by OpenID Connect. Operators list apps in APPS_FILE.

/** What an app may ask for. openid: who the user is. files: the files of the user, by the calls of this service. */
export const appScopes = ['openid', 'phone', 'email', 'offline_access', 'files'] as const;

export type AppScope = (typeof appScopes)[number];

export type App = {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Where the browser may go after a sign-out that the app asked for. */
  readonly logoutUris: readonly string[];
  /** SHA-256 of the secret, in hexadecimal. Undefined for an app that cannot keep one: a page, or a program on a device. */
  readonly secretHash: string | undefined;
  readonly scopes: readonly AppScope[];
  /** The app belongs to the operator, so that no user is asked for consent. */
  readonly isFirstParty: boolean;
  /** A picture as a data: URI. */
  readonly logo: string | undefined;
};

export type AppList = {
  readonly all: readonly App[];
  find(id: string): App | undefined;
};

export function createAppList(all: readonly App[]): AppList {
  const byId = new Map(all.map((app) => [app.id, app]));
  return { all, find: (id) => byId.get(id) };
}

/** What the app may still have of these: its entry may have changed since it got them. */
export function allowedScopes({ scopes }: Pick<App, 'scopes'>, given: readonly string[]): AppScope[] {
  return scopes.filter((scope) => given.includes(scope));
}

/** The text of the claim and the parameter “scope”, in the order of the list above. */
export function writeScopes(scopes: readonly AppScope[]): string {
  return appScopes.filter((scope) => scopes.includes(scope)).join(' ');
}

/** Ignores words that are no scope, as the protocol asks. */
export function readScopes(text: string): AppScope[] {
  const words = text.split(' ');
  return appScopes.filter((scope) => words.includes(scope));
}
