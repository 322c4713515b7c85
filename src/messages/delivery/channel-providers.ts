// The providers of a channel in their order: which one may be asked now, how many messages may leave, and what their answers mean for the next.
import type { Clock } from '../../kernel/clock.ts';
import type { Channel } from '../channel.ts';
import { orderProviders } from '../outbox-rules.ts';
import {
  admitsAt,
  type Breaker,
  closedBreaker,
  isLeftOut,
  judgeProvider,
  letThrough,
  mostFailures,
  noteFailure,
  noteOverdue,
  notePause,
  noteSuccess,
} from './breaker.ts';
import { countOverdue, createPlace, type Place, type ProviderState, type Send, stateOf } from './provider-place.ts';
import { leavesAt, mayLeave, noteLeaving } from './send-rate.ts';
import { firstWindow, noteAccepted, noteNotAccepted, smallestWindow } from './send-window.ts';
import type { Sender, SendOutcome } from './sender.ts';

/** `country`: only there. */
export type ProviderChange = {
  readonly channel: Channel;
  readonly provider: string;
  readonly country?: string;
  readonly state: ProviderState;
  readonly since: number;
};

export type ChannelProvidersParts = {
  readonly channel: Channel;
  readonly senders: readonly Sender[];
  readonly clock: Clock;
  /** The country of a recipient, where the channel has countries. */
  readonly countryOf: (to: string) => string | undefined;
  readonly onChange: (change: ProviderChange) => void;
  /** For one attempt. `last`: nobody else could take the message, so waiting longer is better than a doubt. */
  readonly sendMilliseconds: { readonly usual: number; readonly last: number };
};

export type Turn = {
  readonly sender: Sender;
  readonly milliseconds: number;
  end(outcome: SendOutcome): void;
  /** The sender was not asked. */
  release(): void;
};

/** `isOutage`: every provider that may be asked fails. Otherwise one has as much as it takes, or asked to wait. */
export type Wait = { readonly waitUntil: number; readonly isOutage: boolean };

type Wanted = {
  readonly to: string;
  /** How often it has failed before. */
  readonly tries: number;
  readonly doubts: number;
  readonly asked: ReadonlySet<Sender>;
};

export type ChannelProviders = {
  /** How many more messages may begin, if so many are under way. */
  room(running: number): number;
  /** Milliseconds until there may be more room. */
  rest(): number;
  /** Every provider is left out, so that only probes begin. */
  isShut(): boolean;
  /** Every provider fails. */
  isOutage(): boolean;
  /** The provider to ask now, or when one may be asked. Undefined if all were asked. */
  take(wanted: Wanted): Turn | Wait | undefined;
};

const longestRest = 1000;
const shortestRest = 10;

export function createChannelProviders(parts: ChannelProvidersParts): ChannelProviders {
  const { clock, countryOf } = parts;
  const { usual, last } = parts.sendMilliseconds;
  const places = parts.senders.map(createPlace);
  const follow = (place: Place, now: number) => {
    if (place.breaker.kind === 'closed' && place.sends.size >= mostFailures)
      setBreaker(place, noteOverdue(place.breaker, countOverdue(place, now, parts.sendMilliseconds), now));
    tell(place, now);
  };
  const setBreaker = (place: Place, next: Breaker) => {
    // What its countries suffered was the trouble of the whole provider.
    if (next.kind === 'open' && place.breaker.kind === 'closed') {
      place.countries.clear();
      for (const send of place.sends) place.lost.add(send);
      place.sends.clear();
      place.window = { ...place.window, size: firstWindow.size };
    }
    place.breaker = next;
  };
  const tell = (place: Place, now: number) => {
    const state = stateOf(place.breaker, now);
    if (state === place.reported) return;
    place.reported = state;
    parts.onChange({ channel: parts.channel, provider: place.sender.name, state, since: now });
  };
  const noteCountry = (place: Place, to: string, isGood: boolean, now: number) => {
    if (isGood && place.countries.size === 0) return;
    const country = countryOf(to);
    const before = country === undefined ? undefined : (place.countries.get(country) ?? closedBreaker);
    if (country === undefined || before === undefined || (isGood && !place.countries.has(country))) return;
    const next = isGood ? noteSuccess(before, now) : noteFailure(before, now);
    place.countries.set(country, next);
    if (next.kind === before.kind) return;
    parts.onChange({ channel: parts.channel, provider: place.sender.name, country, state: next.kind, since: now });
  };
  const breakersOf = (place: Place, to: string) => {
    const country = place.countries.size === 0 ? undefined : countryOf(to);
    const ofCountry = country === undefined ? undefined : place.countries.get(country);
    return ofCountry === undefined ? [place.breaker] : [place.breaker, ofCountry];
  };
  const hasRoom = ({ sends, window, sender }: Place) => sender.announce !== undefined || sends.size < window.size;
  const isUp = (place: Place, to: string, now: number) =>
    breakersOf(place, to).every((breaker) => !isLeftOut(breaker, now));
  const begin = (place: Place, { to, tries, doubts, asked }: Wanted, now: number): Turn => {
    const { sender } = place;
    for (const [country, breaker] of place.countries)
      if (breaker.kind === 'open' && countryOf(to) === country) place.countries.set(country, letThrough(breaker, now));
    place.breaker = letThrough(place.breaker, now);
    if (sender.rate !== undefined) place.takenUntil = noteLeaving(place.takenUntil, sender.rate, now);
    const send: Send = { at: now };
    place.sends.add(send);
    if (place.sends.size >= place.window.size * 0.9) place.fullAt = now;
    const forget = () => {
      place.sends.delete(send);
      place.lost.delete(send);
    };
    const hasNext =
      doubts === 0 && places.some((other) => other !== place && !asked.has(other.sender) && isUp(other, to, now));
    return {
      sender,
      milliseconds: hasNext ? usual : last,
      end: (outcome) => {
        forget();
        note(place, send, { to, tries }, outcome, clock.now());
      },
      release: forget,
    };
  };
  const note = (
    place: Place,
    { at }: Send,
    { to, tries }: Pick<Wanted, 'to' | 'tries'>,
    outcome: SendOutcome,
    now: number,
  ) => {
    const judged = judgeProvider(outcome, tries);
    const wait = outcome.kind === 'refused' ? outcome.waitMilliseconds : undefined;
    if (outcome.kind === 'accepted') {
      place.window = noteAccepted(place.window, now - at, place.fullAt >= at, place.most);
      place.succeededAt = now;
    } else if (judged === 'fails' || wait !== undefined) place.window = noteNotAccepted(place.window);
    if (wait !== undefined) setBreaker(place, notePause(place.breaker, wait, now));
    else if (judged !== 'unknown') {
      const isGood = judged === 'works';
      setBreaker(place, isGood ? noteSuccess(place.breaker, now) : noteFailure(place.breaker, now));
      // A provider that is left out as a whole needs no breaker for each country.
      if (place.breaker.kind === 'closed') noteCountry(place, to, isGood, now);
    }
    tell(place, now);
  };
  const timeOf = (place: Place, to: string, now: number, isUrgent: boolean) =>
    Math.max(
      ...breakersOf(place, to).map((breaker) => admitsAt(breaker, now, isUrgent)),
      place.sender.rate === undefined ? now : leavesAt(place.takenUntil, place.sender.rate, now),
      hasRoom(place) ? now : now + longestRest,
    );
  return {
    room: (running) => {
      // Without a provider messages are read all the same, and put off.
      if (places.length === 0) return smallestWindow - running;
      const now = clock.now();
      for (const place of places) follow(place, now);
      const underWay = places.reduce((sum, { sends, lost }) => sum + sends.size + lost.size, 0);
      const up = places.filter(({ breaker }) => !isLeftOut(breaker, now));
      const free = up.map(({ window, sends, sender, takenUntil }) =>
        Math.min(
          window.size - sends.size,
          sender.rate === undefined ? window.size : mayLeave(takenUntil, sender.rate, now),
        ),
      );
      const probes = up.length === 0 && places.some(({ breaker }) => admitsAt(breaker, now, true) <= now) ? 1 : 0;
      return free.reduce((sum, one) => sum + Math.max(0, one), probes) - (running - underWay);
    },
    rest: () => {
      const now = clock.now();
      const times = places.map((place) =>
        Math.max(
          admitsAt(place.breaker, now, true),
          place.sender.rate === undefined ? now : leavesAt(place.takenUntil, place.sender.rate, now),
        ),
      );
      return Math.min(longestRest, Math.max(shortestRest, Math.min(...times) - now));
    },
    isShut: () => {
      const now = clock.now();
      return places.length > 0 && places.every(({ breaker }) => isLeftOut(breaker, now));
    },
    isOutage: () => places.length > 0 && places.every(({ breaker }) => breaker.kind === 'open'),
    take: (wanted) => {
      const now = clock.now();
      const { to, doubts, asked } = wanted;
      const left = orderProviders(places, doubts).filter(({ sender }) => !asked.has(sender));
      if (left.length === 0) return undefined;
      for (const place of left) follow(place, now);
      const isUrgent = !places.some((place) => isUp(place, to, now));
      const ready = left.filter((place) => timeOf(place, to, now, isUrgent) <= now);
      // A message that somebody has waited for already is no probe while another provider is up.
      const wellKnown = doubts > 0 || asked.size > 0 ? ready.find((place) => isUp(place, to, now)) : undefined;
      const chosen = wellKnown ?? ready[0];
      if (chosen !== undefined) return begin(chosen, wanted, now);
      const isOutage = left.every((place) => breakersOf(place, to).some(({ kind }) => kind === 'open'));
      return { isOutage, waitUntil: Math.min(...left.map((place) => timeOf(place, to, now, isUrgent))) };
    },
  };
}
