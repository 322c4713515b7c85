// The calls about apps that sign the user in by OpenID Connect.
import type { Access } from './access.ts';
import type { Calls } from './api-types.ts';
import { retry } from './retry.ts';
import type { Wire } from './wire.ts';

export function createAppCalls({ wire, access }: { readonly wire: Wire; readonly access: Access }) {
  return {
    /**
     * Allows the app of this ticket what it asks for. Only the sign-in page of the service has tickets, and only its cookies may allow:
     * the call needs a recent sign-in in this browser, and a token in a header is refused.
     * @example
     * await gatehouse.apps.allow(ticket);
     */
    allow: async (ticket: string): Promise<void> => {
      await access.run((headers) => wire('allowApp', { body: { ticket }, headers }));
    },
    /**
     * Returns the apps that the signed-in user allowed to use the account, with what each may do.
     * @example
     * for (const { name, scopes } of await gatehouse.apps.list()) console.log(name, scopes);
     */
    list: async (): Promise<Calls['listAllowedApps']['data']['apps']> =>
      (await access.run((headers) => retry(() => wire('listAllowedApps', { headers })))).apps,
    /**
     * Removes the access of an app by its ID, and signs the app out. It must ask the user again.
     * @example
     * await gatehouse.apps.remove('shop');
     */
    remove: async (id: string): Promise<void> =>
      void (await access.run((headers) => wire('withdrawApp', { id, headers }))),
  };
}
