// Counts what the store does for apps: codes, exchanges, and the sessions of apps that end.
import type { AppStore } from '../../apps/app-store.ts';
import { withdrawnEnd } from '../../apps/consents/consent.ts';
import type { SessionEnd } from '../../auth/sessions/session.ts';
import type { Metrics } from './metric-definitions.ts';
import { appExchangeLabel } from './outcome-labels.ts';

export function countApps(
  appStore: AppStore,
  { count }: Pick<Metrics, 'count'>,
  countEnded: (reason: SessionEnd, sessionsEnded: number) => void,
): AppStore {
  return {
    ...appStore,
    authorize: async (authorization) => {
      const outcome = await appStore.authorize(authorization);
      count('app_codes', { outcome: outcome.kind });
      return outcome;
    },
    exchangeCode: async (exchange) => {
      const outcome = await appStore.exchangeCode(exchange);
      count('app_exchanges', { outcome: appExchangeLabel(outcome) });
      if (outcome.kind === 'started') countEnded('evicted', outcome.evicted.length);
      else countEnded('reused', outcome.ended.length);
      return outcome;
    },
    endSession: async (ending) => {
      const ended = await appStore.endSession(ending);
      countEnded('logged out', ended.length);
      return ended;
    },
    withdrawConsent: async (withdrawal) => {
      const ended = await appStore.withdrawConsent(withdrawal);
      countEnded(withdrawnEnd, ended.length);
      return ended;
    },
  };
}
