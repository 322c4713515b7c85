// The work that a captcha takes: the base cost by default, up to four times that if many messages are sent or codes go unused.
import type { Clock } from '../kernel/clock.ts';
import type { LimitStore } from './limit-store.ts';
import { type Spend, showSpend } from './show-spend.ts';
import type { BrakePolicy } from './sms-brake.ts';

export type CaptchaPrice = {
  /** A multiple of the base cost, from the last read. */
  current(): number;
  /** Reads the counters. Called every few seconds, so that a challenge never waits for the store. */
  follow(): Promise<void>;
};

type Deps = { readonly limits: LimitStore; readonly brake: BrakePolicy; readonly clock: Clock };

export function createCaptchaPrice(deps: Deps): CaptchaPrice {
  const { perDay, perCountryPerDay, unused } = deps.brake;
  const isCounted = perDay > 0 || perCountryPerDay > 0 || unused !== undefined;
  let price = 1;
  return {
    current: () => price,
    follow: async () => {
      if (isCounted) price = priceOf(await showSpend(deps), unused);
    },
  };
}

/**
 * The price rises to double between half and all of a daily limit. It doubles again as the share of unused codes rises from three
 * quarters to all of the share that trips the brake. The client solves the captcha before it submits the number, so the worst
 * country sets the price for all.
 */
export function priceOf({ sent, most, mostPerCountry, countries }: Spend, unused: BrakePolicy['unused']): number {
  const spent = Math.max(shareOf(sent, most), ...countries.map((country) => shareOf(country.sent, mostPerCountry)));
  const unusedShare = Math.max(
    0,
    ...countries.map(({ opened, used, suspendedBy }) => {
      if (suspendedBy === 'unused') return 1;
      if (unused === undefined || unused.share === 0 || opened === 0 || opened < unused.least) return 0;
      return (opened - used) / opened / unused.share;
    }),
  );
  return (1 + rise(spent, 0.5)) * (1 + rise(unusedShare, 0.75));
}

function shareOf(count: number, most: number): number {
  return most > 0 ? count / most : 0;
}

/** 0 up to `start`, then linear to 1 at a share of 1. */
function rise(share: number, start: number): number {
  return Math.min(1, Math.max(0, (share - start) / (1 - start)));
}
