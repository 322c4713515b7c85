// The app that a session belongs to, as every list of sessions shows it.
import type { AppList } from '../../apps/clients/app.ts';
import { named, nullable, object, text } from '../interface/schema.ts';

/** Null for a session of this service. */
export const sessionApp = nullable(
  named('SessionApp', object({ id: text(), name: text({ description: 'The app that the session belongs to' }) })),
);

/** An app that the operator no longer lists is named by its id. */
export function toSessionApp(apps: AppList, appId: string | undefined) {
  return appId === undefined ? null : { id: appId, name: apps.find(appId)?.name ?? appId };
}
