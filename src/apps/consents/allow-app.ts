// Use case: the user allows an app what it asks for. The ticket says which app, and what.

import { Failure } from '../../kernel/failure.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { AppDeps } from '../deps.ts';
import { requireTicket } from '../requests/require-ticket.ts';

type Deps = Pick<AppDeps, 'secrets' | 'clock' | 'apps'> & {
  readonly appStore: Pick<AppDeps['appStore'], 'saveConsent'>;
};

export async function allowApp(deps: Deps, input: { readonly userId: UserId; readonly ticket: string }): Promise<void> {
  const { appId, scopes } = requireTicket(deps, input.ticket).request;
  // The app may have been removed since.
  if (deps.apps.find(appId) === undefined) throw new Failure('AUTHORIZATION_EXPIRED');
  await deps.appStore.saveConsent({ userId: input.userId, appId, scopes, now: deps.clock.now() });
}
