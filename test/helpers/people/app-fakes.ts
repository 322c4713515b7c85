// Apps for tests, and what the use cases of apps work with: fakes of the ports that record every call.
import assert from 'node:assert/strict';
import type { AppStore } from '../../../src/apps/app-store.ts';
import { type App, createAppList } from '../../../src/apps/clients/app.ts';
import type { AppDeps } from '../../../src/apps/deps.ts';
import { type Answers, type Call, createAuthStage } from './auth-fakes.ts';

/** SHA-256 of “the secret of the shop”. */
const secretHash = '7dccf33caaa150d4e3df817203a24facadb89d3d29e193199c60f096d8b60a26';

export const shop: App = {
  id: 'shop',
  name: 'Shop',
  redirectUris: ['https://shop.example/back'],
  logoutUris: [],
  secretHash,
  scopes: ['openid', 'phone', 'email', 'offline_access'],
  isFirstParty: true,
  logo: undefined,
};

/** An app of somebody else that cannot keep a secret. */
export const foreign: App = { ...shop, id: 'foreign', secretHash: undefined, isFirstParty: false };

export function createAppStage(
  answers: Answers & { readonly appStore?: Partial<AppStore> } = {},
  apps = [shop, foreign],
) {
  const { appStore: verbs = {}, ...others } = answers;
  const { deps, calls } = createAuthStage(others);
  const known = verbs as Record<string, (given: unknown) => unknown>;
  const appStore = new Proxy({} as AppStore, {
    get: (_, verb) => (given: unknown) => {
      calls.push([`appStore.${String(verb)}`, given]);
      return (known[String(verb)] ?? assert.fail(`appStore.${String(verb)} is called`))(given);
    },
  });
  const stage: { deps: AppDeps; calls: Call[] } = { deps: { ...deps, apps: createAppList(apps), appStore }, calls };
  return stage;
}

export function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
