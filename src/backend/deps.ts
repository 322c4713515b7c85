// The dependencies of the use cases in this folder. Each use case picks the few that it needs.
import type { AuthDeps } from '../auth/deps.ts';
import type { UserDirectory } from '../auth/directory/user-directory.ts';
import type { FileDeps } from '../files/deps.ts';
import type { BackendUserStore } from './backend-user.ts';
import type { EventStore } from './event-log.ts';
import type { ServiceKeyStore } from './service-key.ts';

export type BackendDeps = AuthDeps &
  FileDeps & {
    readonly directory: UserDirectory;
    readonly serviceKeys: ServiceKeyStore;
    readonly backendUsers: BackendUserStore;
    readonly events: EventStore;
  };
