// What a captcha costs: once on a quiet day, up to four times when messages are spent fast or codes go unused.
import type { Clock } from '../kernel/clock.ts';
import type { LimitStore } from './limit-store.ts';
import { type Spend, showSpend } from './show-spend.ts';
import type { BrakePolicy } from './sms-brake.ts';

export type CaptchaPrice = {
  /** Times the cost of a quiet day, by what was last read. */
  current(): number;
  /** Reads the counters; called every few seconds, so that no challenge waits for the store. */
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
 * Doubles between half of a daily limit and the whole, and again where the codes of a country go unused: from three quarters of the
 * share at which the brake holds it. A captcha is solved before the number is known, so the worst country counts for all.
 */
export function priceOf({ sent, most, mostPerCountry, countries }: Spend, unused: BrakePolicy['unused']): number {
  const spent = Math.max(shareOf(sent, most), ...countries.map((country) => shareOf(country.sent, mostPerCountry)));
  const idle = Math.max(
    0,
    ...countries.map(({ opened, used, suspendedBy }) => {
      if (suspendedBy === 'unused') return 1;
      if (unused === undefined || unused.share === 0 || opened === 0 || opened < unused.least) return 0;
      return (opened - used) / opened / unused.share;
    }),
  );
  return (1 + rise(spent, 0.5)) * (1 + rise(idle, 0.75));
}

function shareOf(count: number, most: number): number {
  return most > 0 ? count / most : 0;
}

/** 0 up to the beginning, 1 at the whole. */
function rise(share: number, beginning: number): number {
  return Math.min(1, Math.max(0, (share - beginning) / (1 - beginning)));
}
