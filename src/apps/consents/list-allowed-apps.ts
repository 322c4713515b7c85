// Use case: list the apps that a user allowed to use the account, with what each may do.
import type { UserId } from '../../kernel/ids.ts';
import type { AppScope } from '../clients/app.ts';
import type { AppDeps } from '../deps.ts';

type AllowedApp = {
  readonly id: string;
  /** The id if the operator no longer lists the app. */
  readonly name: string;
  readonly scopes: readonly AppScope[];
  readonly allowedAt: number;
};

export async function listAllowedApps(
  { apps, appStore }: Pick<AppDeps, 'apps' | 'appStore'>,
  userId: UserId,
): Promise<AllowedApp[]> {
  const consents = await appStore.listConsents(userId);
  return consents.map(({ appId: id, scopes, createdAt: allowedAt }) => ({
    id,
    name: apps.find(id)?.name ?? id,
    scopes,
    allowedAt,
  }));
}
