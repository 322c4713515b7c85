// Use case: find the app that a request of a back channel comes from, and check its secret.
import { hash } from 'node:crypto';
import { isSame } from '../../kernel/crypto/digest.ts';
import type { AppDeps } from '../deps.ts';
import type { App } from './app.ts';

export type AppCredentials = {
  readonly appId: string;
  /** Undefined if the app sent none: it must be one that cannot keep a secret. */
  readonly secret: string | undefined;
};

/** The hash of no secret: finding no app takes as long as finding one. */
const noHash = '0'.repeat(64);

/** Undefined if the app is unknown, if its secret is wrong or missing, or if it has none and sends one. */
export function authenticateApp({ apps }: Pick<AppDeps, 'apps'>, { appId, secret }: AppCredentials): App | undefined {
  const app = apps.find(appId);
  const given = hash('sha256', secret ?? '', 'hex');
  const isRight = isSame(given, app?.secretHash ?? noHash);
  if (app === undefined) return undefined;
  if (secret === undefined) return app.secretHash === undefined ? app : undefined;
  return isRight && app.secretHash !== undefined ? app : undefined;
}
