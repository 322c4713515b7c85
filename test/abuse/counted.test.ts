// What a message was counted in: what is taken back as it waits, is given up or is sent again, and that nothing is taken back twice.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Count } from '../../src/abuse/caller-limits.ts';
import {
  type Counted,
  countAgain,
  countedIds,
  countLate,
  isLate,
  keepCaller,
  type Mark,
  marksOf,
  type NotAccepted,
  type Settled,
  takeBack,
} from '../../src/abuse/counted.ts';
import { countSend, sendCounterIds } from '../../src/abuse/sends.ts';
import { brakeIds, countBrake, prefixId } from '../../src/abuse/sms-brake.ts';
import { asPhone } from '../helpers/people/ids.ts';
import { defaultLimits } from '../helpers/services/default-limits.ts';
import { brakePolicy, minute, noon, sendPolicy } from '../helpers/store/fixtures.ts';

const { sends, brake } = defaultLimits();
const phone = asPhone('+4915112345678');
const check = { purpose: 'phone-login', recipient: phone, ip: '2a00:1450:4001:0::/64', policy: sends.sms, now: noon };
const braked = { phone, country: 'DE', policy: brake, now: noon };
const span = Math.floor(noon / (10 * minute));

const all: readonly Mark[] = [
  ['pause', 'pause'],
  ['recipient', 'recipient'],
  ['caller', 'caller'],
  ['network', 'network'],
  ['day', 'day'],
  ['prefix', 'prefix'],
  ['use', 'use'],
  ['notices', 'notices'],
];
const nameOf = ([name]: Mark) => name;
const counted: Counted = { at: noon, messageId: 'm', opened: true, held: all, back: [] };

/** Every counter holds this message and another one. */
const kept: Record<string, unknown> = {
  pause: [noon - 1, noon],
  recipient: [noon - 1, noon],
  caller: [noon, noon],
  network: { 3600: [[noon / (5 * minute), 2]], 86400: [[Math.floor(noon / (120 * minute)), 1]] },
  day: 2,
  prefix: [noon, noon + 1],
  use: [
    [span - 1, 5, 5, 5],
    [span, 2, 1, 3],
  ],
  notices: [
    [noon, 'other'],
    [noon, 'm'],
  ],
};
const without: Record<string, unknown> = {
  pause: [noon - 1],
  recipient: [noon - 1],
  caller: [noon],
  network: { 3600: [[noon / (5 * minute), 1]], 86400: [] },
  day: 1,
  prefix: [noon + 1],
  use: [
    [span - 1, 5, 5, 5],
    [span, 1, 1, 2],
  ],
  notices: [[noon, 'other']],
};
const read = (id: string) => kept[id];
const valuesOf = (counts: readonly Count[]) => Object.fromEntries(counts.map(({ id, value }) => [id, value]));
const pick = (names: readonly string[], from: Record<string, unknown>) =>
  Object.fromEntries(names.map((name) => [name, from[name]]));

describe('a message that was counted', () => {
  it('has a mark for each counter of its request', () => {
    const marks = marksOf(check, braked);
    const names = ['pause', 'recipient', 'caller', 'network', 'network', 'day', 'day', 'prefix', 'use'];
    assert.deepEqual(marks.map(nameOf), names);
    const ids = [...sendCounterIds(check), ...Object.values(brakeIds(braked))];
    assert.deepEqual(countedIds({ ...counted, held: marks.slice(0, 3), back: marks.slice(3) }), ids);
    assert.deepEqual(marksOf({ ...check, policy: sendPolicy }, { ...braked, policy: brakePolicy }), []);
    assert.deepEqual(marksOf(undefined, undefined), []);
  });

  const cases: [what: string, NotAccepted, over: readonly string[]][] = [
    ['that waits no longer counts as an unused code, and counts everywhere else', 'waiting', ['use']],
    ['that never left counts nowhere', 'unsent', all.map(nameOf)],
    ['that may have left counts everywhere', 'doubtful', []],
  ];
  for (const [what, known, over] of cases) {
    it(what, () => {
      const settled = takeBack(counted, known, read);
      assert.deepEqual(valuesOf(settled.counts), pick(over, without));
      assert.deepEqual(settled.counted.back.map(nameOf), over);
      assert.deepEqual(
        settled.counted.held,
        all.filter(([name]) => !over.includes(name)),
      );
      const repeated = takeBack(settled.counted, known, (id) => assert.fail(id));
      assert.deepEqual(repeated, { counted: settled.counted, counts: [] });
    });
  }

  it('whose recipient a provider refused counts for its caller for good', () => {
    for (const known of [counted, takeBack(counted, 'waiting', read).counted]) {
      const settled = takeBack(keepCaller(known), 'unsent', read);
      const over: string[] = all.map(nameOf).filter((name) => name !== 'caller' && name !== 'network');
      assert.deepEqual(settled.counted.back.map(nameOf).toSorted(), over.toSorted());
      assert.deepEqual(settled.counted.held, []);
      assert.ok(settled.counts.every(({ id }) => over.includes(id)));
      const again = countAgain(settled.counted, false, (id) => without[id]).counted;
      const names = [...again.held, ...again.back].map(nameOf);
      assert.deepEqual([names.includes('caller'), names.includes('network')], [false, false]);
    }
  });

  it('that waited gives back the rest when it is given up', () => {
    const waiting = takeBack(counted, 'waiting', read).counted;
    const { counts } = takeBack(waiting, 'unsent', read);
    const rest = all.map(nameOf).filter((name) => name !== 'use');
    assert.deepEqual(valuesOf(counts), pick(rest, without));
  });

  it('is late after it waited; its code then counts as opened, in no burst', () => {
    assert.equal(isLate(counted), false);
    const waiting = takeBack(counted, 'waiting', read).counted;
    assert.equal(isLate(waiting), true);
    const late = countLate(waiting, (id) => without[id]);
    assert.deepEqual(valuesOf(late), { use: [without.use as [number[], number[]]].flat().with(1, [span, 2, 1, 2]) });
    const repeat = { ...waiting, opened: false };
    assert.deepEqual(valuesOf(countLate(repeat, (id) => without[id])), { use: without.use });
    assert.deepEqual(countLate(counted, read), []);
  });

  it('counts again when staff send it again, but not yet among the unused codes', () => {
    const held = all.filter(([name]) => name !== 'notices');
    const gone = takeBack({ ...counted, held }, 'unsent', read).counted;
    const again = countAgain(gone, false, (id) => without[id]);
    const names = held.map(nameOf).filter((name) => name !== 'use');
    const expected = {
      ...pick(names, kept),
      prefix: [noon, noon + 1],
      network: { 3600: [[noon / 300_000, 2]], 86400: [[Math.floor(noon / 7_200_000), 1]] },
    };
    assert.deepEqual(valuesOf(again.counts), expected);
    assert.deepEqual(again.counted.back.map(nameOf), ['use']);
    assert.deepEqual(again.counted.held.map(nameOf), names);
  });

  it('stays counted for good when it is sent again and may have left before', () => {
    const again = countAgain(counted, true, read);
    assert.deepEqual(again, { counted: { ...counted, held: [], back: [] }, counts: [] });
    assert.deepEqual(takeBack(again.counted, 'unsent', read).counts, []);
  });

  it('as a notice is counted again when it is admitted again', () => {
    const gone = takeBack({ ...counted, held: all.filter(([name]) => name !== 'use') }, 'unsent', read).counted;
    assert.deepEqual(countAgain(gone, false, read), { counted: { ...counted, held: [], back: [] }, counts: [] });
  });

  it('takes nothing from a counter that was cleared or has forgotten it, and no number below zero', () => {
    assert.deepEqual(takeBack(counted, 'unsent', () => undefined).counts, []);
    const empty: Record<string, unknown> = {
      ...pick(['pause', 'recipient', 'caller', 'prefix', 'notices'], {}),
      pause: [],
      recipient: [],
      caller: [],
      prefix: [],
      notices: [],
      network: { 3600: [] },
      day: 0,
      use: [[span, 0, 0, 0]],
    };
    assert.deepEqual(valuesOf(takeBack(counted, 'unsent', (id) => empty[id]).counts), empty);
    const old = valuesOf(
      takeBack({ ...counted, held: [['use', 'use']] }, 'unsent', () => [[span - 1, 1, 0, 1]]).counts,
    );
    assert.deepEqual(old, { use: [[span - 1, 1, 0, 1]] });
  });

  it('leaves the counters as they were before its request, whatever they were', () => {
    const before = new Map<string, unknown>();
    const save = (counts: readonly Count[]) => {
      for (const { id, value } of counts) before.set(id, value);
    };
    const count = (now: number) => {
      const later = { ...check, now };
      save(countSend(later, (id) => before.get(id)));
      save(countBrake({ ...braked, now }, (id) => before.get(id), true));
    };
    count(noon - minute);
    const then = structuredClone(before);
    count(noon);
    const marks = marksOf(check, braked);
    const settled: Settled = takeBack({ ...counted, held: marks }, 'unsent', (id) => before.get(id));
    save(settled.counts);
    // The span of the message is still there, without it.
    const use = then.get('sms-use:DE') as number[][];
    assert.deepEqual(before.get('sms-use:DE'), [...use, [span, 0, 0, 0]]);
    before.set('sms-use:DE', use);
    assert.deepEqual(before, then);
    assert.deepEqual(before.get(prefixId(phone)), [noon - minute]);
  });
});
