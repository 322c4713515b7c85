// Two processes on one database, and the outcome of each in the rounds that both run at the same moment.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, before, beforeEach, type TestContext } from 'node:test';
import { tables } from '../../../src/store/engine/tables.ts';
import type { StoreKind } from '../../helpers/services/gatehouse.ts';
import { startChild } from '../../helpers/store/start-child.ts';
import type { TestStore } from '../../helpers/store/test-store.ts';
import { appRaces } from './app-races.ts';
import { externalIdRaces } from './external-id-races.ts';
import { fileRaces } from './file-races.ts';
import { ownerRaces } from './owner-races.ts';
import { phoneRaces } from './phone-races.ts';
import type { Race } from './race.ts';
import { races } from './races.ts';
import { sharingRaces } from './sharing-races.ts';
import { trashRaces } from './trash-races.ts';
import { uploadRaces } from './upload-races.ts';

export const allRaces = {
  ...races,
  ...externalIdRaces,
  ...fileRaces,
  ...trashRaces,
  ...phoneRaces,
  ...appRaces,
  ...sharingRaces,
  ...uploadRaces,
  ...ownerRaces,
};

export type RaceName = keyof typeof allRaces;

const roundsAtOnce = 50;
/** No more than a busy machine can do before the store's time-out. */
const preparedAtOnce = 250;

/** Call it inside a suite: both sides are up before its tests, and every test starts with empty tables. */
export function setRacing(open: () => TestStore, kind: StoreKind, roundsPerRace: number) {
  let sides: ChildProcess[] = [];
  before(async () => {
    sides = ['0', '1'].map((side) =>
      startChild(new URL('./race-child.ts', import.meta.url), [kind, open().address, side]),
    );
    await Promise.all(sides.map((side) => once(side, 'message')));
  });
  after(() => sides.forEach((side) => void side.disconnect()));
  beforeEach(async () => {
    for (const table of Object.keys(tables)) await open().query(`delete from ${table}`);
  });
  return {
    /** The outcomes of the two sides, round by round. */
    race: async (name: RaceName, context: TestContext, roundCount = roundsPerRace): Promise<[string, string][]> => {
      const { prepare, sql }: Race = allRaces[name];
      const all = Array.from({ length: roundCount }, (_, index) => index + 1);
      for (let from = 0; from < all.length; from += preparedAtOnce) {
        await Promise.all(all.slice(from, from + preparedAtOnce).map(async (round) => prepare?.(open().ports, round)));
      }
      if (sql !== undefined) await open().query(sql);
      const pairs: [string, string][] = [];
      for (let from = 0; from < all.length; from += roundsAtOnce) {
        const rounds = all.slice(from, from + roundsAtOnce);
        const answers = sides.map((side) => once(side, 'message') as Promise<[string[]]>);
        for (const side of sides) side.send({ race: name, rounds });
        const [[left], [right]] = (await Promise.all(answers)) as [[string[]], [string[]]];
        pairs.push(...rounds.map((_, index): [string, string] => [left[index] ?? '', right[index] ?? '']));
      }
      const [first] = pairs[0] ?? [''];
      const share = pairs.filter(([left]) => left === first).length;
      context.diagnostic(`${name}: the first process got “${first}” ${share} times of ${pairs.length}`);
      return pairs;
    },
    each: (pairs: [string, string][], expected: [string, string]) => {
      const odd = pairs.filter((pair) => pair.toSorted().join() !== expected.toSorted().join());
      assert.deepEqual(odd, []);
    },
    count: async (text: string) => Number((await open().query(`select count(*) as n from ${text}`))[0]?.n),
  };
}
