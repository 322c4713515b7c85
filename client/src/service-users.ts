// The calls of a back end about users: find, list, change, block and delete them, and end their sessions.
import { eachItem } from './pages.ts';
import type { ListOptions } from './service-files.ts';
import type { Calls, Session, User } from './service-types.ts';
import type { ServiceWire } from './service-wire.ts';

/** Exactly one of them. */
export type WantedUser = { readonly phone: string } | { readonly email: string } | { readonly externalId: string };

/** A field replaces the whole value that was there, and null removes it. What is left out stays as it is. */
export type UserChange = Calls['updateUser']['body'];

export function createServiceUsers({ ask }: ServiceWire) {
  return {
    /**
     * Returns a user by ID.
     * @example
     * const { phone, email, claims } = await service.users.get(userId);
     */
    get: (id: string): Promise<User> => ask('showUser', 'read', { id }),
    /**
     * Returns the user with a phone number, an e-mail address or an ID of your own. Fails with `NOT_FOUND` if there is none.
     * @example
     * const { id } = await service.users.find({ phone: '+12025550123' });
     */
    find: (wanted: WantedUser): Promise<User> => ask('findUser', 'read', { body: wanted }),
    /**
     * Goes through all users.
     * @example
     * for await (const user of service.users.list()) console.log(user.id, user.createdAt);
     */
    list: ({ limit, cursor, signal }: ListOptions = {}): AsyncGenerator<User, void, undefined> =>
      eachItem(async (at) => {
        const { users, next } = await ask('listUsers', 'read', { query: { cursor: at, limit }, signal });
        return { items: users, next };
      }, cursor),
    /**
     * Stores data of your app with a user. A field replaces the whole value, and null removes it. Claims are in the access token
     * from the next refresh on.
     * @example
     * await service.users.update(userId, { externalId: 'customer-4711', claims: { plan: 'pro' }, metadata: { private: null } });
     */
    update: (id: string, change: UserChange): Promise<User> => ask('updateUser', 'write', { id, body: change }),
    /**
     * Blocks a user: ends all sessions, and refuses new ones.
     * @example
     * await service.users.block(userId, 'chargeback');
     */
    block: async (id: string, reason?: string): Promise<void> => {
      await ask('blockUser', 'write', { id, body: reasonOf(reason) });
    },
    /**
     * Lets a blocked user sign in again.
     * @example
     * await service.users.unblock(userId);
     */
    unblock: async (id: string, reason?: string): Promise<void> => {
      await ask('unblockUser', 'write', { id, body: reasonOf(reason) });
    },
    /**
     * Deletes a user with all sessions and files. This cannot be undone.
     * @example
     * await service.users.delete(userId);
     */
    delete: async (id: string): Promise<void> => {
      await ask('deleteUser', 'write', { id });
    },
    /**
     * Returns the sessions of a user.
     * @example
     * const sessions = await service.users.sessions(userId);
     */
    sessions: async (id: string): Promise<readonly Session[]> =>
      (await ask('listUserSessions', 'read', { id })).sessions,
    /**
     * Ends all sessions of a user, or one of them. Returns how many it has ended.
     * @example
     * const ended = await service.users.endSessions(userId);
     */
    endSessions: async (id: string, sessionId?: string): Promise<number> =>
      (await ask('endUserSessions', 'write', { id, body: sessionId === undefined ? {} : { sessionId } })).ended,
  };
}

function reasonOf(reason: string | undefined): { reason?: string } {
  return reason === undefined ? {} : { reason };
}
