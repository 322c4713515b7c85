// The dependencies of the use cases in this folder. Each use case picks the few that it needs.
import type { AuthDeps } from '../auth/deps.ts';
import type { FileDeps } from '../files/deps.ts';
import type { SupportDeps } from '../support/deps.ts';
import type { EventStore } from './event-log.ts';
import type { ServiceKeyStore } from './service-key.ts';
import type { ServiceUserStore } from './service-user.ts';

export type ServiceDeps = AuthDeps &
  FileDeps &
  SupportDeps & {
    readonly serviceKeys: ServiceKeyStore;
    readonly serviceUsers: ServiceUserStore;
    readonly events: EventStore;
  };
