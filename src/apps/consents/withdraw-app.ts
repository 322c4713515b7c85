// Use case: withdraw what a user allowed an app. Its sessions end at once. An app that was never allowed changes nothing.

import type { UserId } from '../../kernel/ids.ts';
import { isAppId } from '../clients/parse-apps.ts';
import type { AppDeps } from '../deps.ts';

type Deps = Pick<AppDeps, 'clock' | 'appStore' | 'revocations'>;

export async function withdrawApp(
  { clock, appStore, revocations }: Deps,
  { userId, appId }: { readonly userId: UserId; readonly appId: string },
): Promise<void> {
  if (!isAppId(appId)) return;
  revocations.add(await appStore.withdrawConsent({ userId, appId, now: clock.now() }));
}
