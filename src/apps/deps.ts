// The dependencies of the use cases in this folder. Each use case picks the few that it needs.
import type { AuthDeps } from '../auth/deps.ts';
import type { AppStore } from './app-store.ts';
import type { AppList } from './clients/app.ts';

export type AppDeps = AuthDeps & { readonly apps: AppList; readonly appStore: AppStore };
