// The context that the provider fills.
import { createContext } from 'react';
import type { Session } from './session.ts';

export const GatehouseContext = createContext<Session | undefined>(undefined);
