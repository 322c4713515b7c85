// A bounded queue that divides the work among its users: the one who had least comes first, and the one with most waiting gives way.

export type FairBounds = {
  /** All that may wait. When it is full, the newest item of the one with most waiting gives way to an item of one with fewer. */
  readonly most: number;
  /** Waiting, of one. */
  readonly mostOfOne: number;
};

export type FairQueue<T> = {
  readonly waiting: number;
  waitingFor(key: string): number;
  /** Whether an item would find no place: because one of its keys has too many, or because nobody has more. */
  refusal(keys: readonly string[]): 'own' | 'all' | undefined;
  /**
   * Every key of an item pays its cost, and the item comes when the turn of each has come. Items of equal cost are taken from the
   * keys in turn. Returns the item that must give way, which may be this one.
   */
  push(keys: readonly string[], item: T, cost?: number): T | undefined;
  /** Somebody else waits for the item too. It comes as early as if these keys had asked for it now. */
  join(item: T, keys: readonly string[]): void;
  /** Takes an item out before its turn. Its keys have not paid for it. False if it is not in the queue. */
  remove(item: T): boolean;
  /** The next item that may start; of those that come last, only if there is no other. */
  shift(rules?: { readonly mayStart?: Rule<T>; readonly comesLast?: Rule<T> }): T | undefined;
};

type Rule<T> = (item: T) => boolean;
type Place<T> = { readonly item: T; readonly keys: readonly string[]; readonly cost: number; turn: number };
/** `paid`: the time by the clock of the queue at which the key has had its share for all that it asked for. */
type Account = { waiting: number; paid: number };

export function createFairQueue<T>({ most, mostOfOne }: FairBounds): FairQueue<T> {
  /** In the order of their turns. */
  const places: Place<T>[] = [];
  const accounts = new Map<string, Account>();
  /** Goes on by the work that each key has got if all that wait share it alike. */
  let clock = 0;
  let active = 0;

  const accountOf = (key: string): Account => accounts.get(key) ?? { waiting: 0, paid: 0 };
  /** `payers` have paid already. */
  const turnOf = (keys: readonly string[], cost: number, payers: readonly string[] = []) =>
    Math.max(...keys.map((key) => Math.max(accountOf(key).paid - (payers.includes(key) ? cost : 0), clock) + cost));

  function insert(place: Place<T>): void {
    const before = places.findLastIndex(({ turn }) => turn <= place.turn);
    places.splice(before + 1, 0, place);
  }

  function enter(keys: readonly string[], item: T, cost: number): void {
    insert({ item, keys, cost, turn: turnOf(keys, cost) });
    for (const key of keys) {
      const { waiting, paid } = accountOf(key);
      if (waiting === 0) active += 1;
      accounts.set(key, { waiting: waiting + 1, paid: Math.max(paid, clock) + cost });
    }
  }

  function leave(place: Place<T>, paidBack: number): void {
    places.splice(places.indexOf(place), 1);
    for (const key of place.keys) {
      const account = accountOf(key);
      account.waiting -= 1;
      account.paid -= paidBack;
      if (account.waiting === 0) active -= 1;
    }
  }

  /** After a time without work nobody is behind. Otherwise the number of keys that are remembered is bounded. */
  function forget(): void {
    if (places.length === 0) {
      accounts.clear();
      clock = 0;
    } else if (accounts.size > 4 * most)
      for (const [key, { waiting }] of accounts) if (waiting === 0) accounts.delete(key);
  }

  /** The last place of the key that has most waiting, if that is more than these keys would have. */
  function findLongest(keys: readonly string[]): Place<T> | undefined {
    let longest = { key: '', waiting: Math.max(...keys.map((key) => accountOf(key).waiting)) + 1 };
    for (const [key, { waiting }] of accounts) if (waiting > longest.waiting) longest = { key, waiting };
    return places.findLast((place) => place.keys.includes(longest.key));
  }

  function refusal(keys: readonly string[]): 'own' | 'all' | undefined {
    if (keys.some((key) => accountOf(key).waiting >= mostOfOne)) return 'own';
    return places.length >= most && findLongest(keys) === undefined ? 'all' : undefined;
  }

  return {
    get waiting() {
      return places.length;
    },
    waitingFor: (key) => accountOf(key).waiting,
    refusal,
    push: (given, item, cost = 1) => {
      const keys = [...new Set(given)];
      if (refusal(keys) !== undefined) return item;
      const longest = places.length < most ? undefined : findLongest(keys);
      if (longest !== undefined) leave(longest, longest.cost);
      enter(keys, item, cost);
      return longest?.item;
    },
    join: (item, keys) => {
      const place = places.find((each) => each.item === item);
      const turn = place && turnOf(keys, place.cost, place.keys);
      if (place === undefined || turn === undefined || turn >= place.turn) return;
      places.splice(places.indexOf(place), 1);
      place.turn = turn;
      insert(place);
    },
    remove: (item) => {
      const place = places.find((each) => each.item === item);
      if (place === undefined) return false;
      leave(place, place.cost);
      forget();
      return true;
    },
    shift: ({ mayStart = () => true, comesLast = () => false } = {}) => {
      const ready = places.filter(({ item }) => mayStart(item));
      const place = ready.find(({ item }) => !comesLast(item)) ?? ready[0];
      if (place === undefined) return undefined;
      clock += place.cost / active;
      leave(place, 0);
      forget();
      return place.item;
    },
  };
}
