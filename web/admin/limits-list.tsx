// The limits of a recipient or IP address: what was counted for whom, and until when it is in the way.
import { EmptyState } from '../parts/empty-state.tsx';
import { formatTime } from '../parts/format.ts';
import { shieldIcon } from '../parts/icons.ts';
import { fill } from '../parts/page-data.ts';
import { fillCount, texts } from './admin-texts.ts';
import type { ShownUser } from './shown-user.ts';

type Limits = ShownUser['limits'];
type Limit = Limits[number];

/** What a limit keeps the user from. */
const effects: Readonly<Record<Limit['kind'], string>> = {
  pause: texts.noSendUntil,
  sends: texts.noSendUntil,
  alike: texts.noSendUntil,
  address: texts.noSendUntil,
  network: texts.noSendUntil,
  failures: texts.noTryUntil,
  reserve: texts.noTryUntil,
  devices: texts.noTryUntil,
  guesses: texts.noTryUntil,
};

/** Counters that have counted nothing are left out. */
export function LimitsList({ limits }: { readonly limits: Limits }) {
  const shown = limits.filter(isCounted);
  if (shown.length === 0) return <EmptyState icon={shieldIcon} title={texts.noLimits} />;
  return (
    <ul class="rows">
      {shown.map(({ kind, subject, hits, blockedSeconds }, index) => (
        <li key={index}>
          <span class="grow">
            {fill(texts[kind], { subject })}
            <span class="quiet-text"> · {fillCount(texts.counted, { count: hits })}</span>
          </span>
          <span class={blockedSeconds > 0 ? 'tag bad' : 'tag'}>
            {blockedSeconds > 0 ? fill(effects[kind], { time: formatTime(timeIn(blockedSeconds)) }) : texts.notBlocked}
          </span>
        </li>
      ))}
    </ul>
  );
}

function isCounted({ hits, blockedSeconds }: Limit): boolean {
  return hits > 0 || blockedSeconds > 0;
}

export function hasLimits(limits: Limits): boolean {
  return limits.some(isCounted);
}

function timeIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}
