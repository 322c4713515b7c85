// A bounded crowd: everybody gets in. If there are too many, one member of the largest group must leave: the oldest idle one, else the oldest.

export type Crowd = {
  readonly size: number;
  /** `expel` ends what came in, `isIdle` says that nothing is lost by that. The returned function must be called when it has ended, for whatever reason. */
  enter(key: string, expel: () => void, isIdle?: () => boolean): () => void;
};

type Guest = { readonly expel: () => void; readonly isIdle: () => boolean };

export function createCrowd(most: number): Crowd {
  const groups = new Map<string, Set<Guest>>();
  let size = 0;

  function leave(key: string, guest: Guest): void {
    const group = groups.get(key);
    if (group?.delete(guest) !== true) return;
    size -= 1;
    if (group.size === 0) groups.delete(key);
  }

  /** If several have most, the one who came last, unless it has nothing else. */
  function makeRoom(newest: string, group: Set<Guest>): void {
    let [key, largest] = group.size > 1 ? [newest, group] : ['', new Set<Guest>()];
    for (const [other, guests] of groups) if (guests.size > largest.size) [key, largest] = [other, guests];
    const leaver = largest.values().find(({ isIdle }) => isIdle()) ?? largest.values().next().value;
    if (leaver === undefined) return;
    leave(key, leaver);
    leaver.expel();
  }

  return {
    get size() {
      return size;
    },
    enter: (key, expel, isIdle = () => false) => {
      const guest = { expel, isIdle };
      const group = groups.get(key) ?? new Set();
      groups.set(key, group.add(guest));
      size += 1;
      if (size > most) makeRoom(key, group);
      return () => leave(key, guest);
    },
  };
}
