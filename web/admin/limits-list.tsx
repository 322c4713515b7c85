// The limits of a recipient or IP address: what was counted, and for how long it is blocked.
import { fill } from '../parts/facts.ts';
import { formatDuration } from '../parts/format.ts';
import { texts } from './admin-texts.ts';
import type { ShownUser } from './shown-user.ts';

export function LimitsList({ limits }: { readonly limits: ShownUser['limits'] }) {
  return (
    <ul class="rows">
      {limits.map(({ kind, hits, blockedSeconds }, index) => (
        <li key={index}>
          <span class="grow">
            {texts[kind]}
            <span class="quiet-text"> · {fill(texts.counted, { count: hits })}</span>
          </span>
          <span class={blockedSeconds > 0 ? 'tag bad' : 'tag'}>
            {blockedSeconds > 0 ? fill(texts.blockedFor, { time: formatDuration(blockedSeconds) }) : texts.notBlocked}
          </span>
        </li>
      ))}
    </ul>
  );
}
