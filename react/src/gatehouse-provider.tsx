// Gives the components below it one client and one session.
import { createGatehouse, type Gatehouse, type GatehouseOptions } from '@gatehouse/client';
import { type ReactNode, useState } from 'react';
import { GatehouseContext } from './gatehouse-context.ts';
import { createSession } from './session.ts';

export type GatehouseProviderProps = {
  readonly children?: ReactNode;
  /** A client of your own, if other parts of the app use it too. */
  readonly client?: Gatehouse | undefined;
} & Pick<GatehouseOptions, 'url' | 'mode' | 'storage' | 'language' | 'captcha'>;

/** Takes the options of the first render. Put it around your app once. */
export function GatehouseProvider({ children, client, ...options }: GatehouseProviderProps) {
  const [session] = useState(() => createSession(client ?? createGatehouse({ ...options, url: urlOf(options.url) })));
  return <GatehouseContext.Provider value={session}>{children}</GatehouseContext.Provider>;
}

/** While a server renders there is no origin of a page, and no call is made. */
function urlOf(url: string | undefined): string | undefined {
  return url ?? (typeof document === 'object' ? undefined : 'http://localhost');
}
