// Which server a node uses: each case of the rule, and what holds for any servers.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Choice,
  type ClusterMemory,
  chooseServer,
  type Doubt,
  isLater,
  nothingRemembered,
  type ServerState,
  standingOf,
} from '../../../src/store/postgres/choose-server.ts';
import { createRandom } from '../../helpers/histories/record.ts';

const away: ServerState = { kind: 'away' };
const row = (timeline: number, adoptedAt = 0, system: string | undefined = 'one'): ClusterMemory => ({
  system,
  timeline,
  adoptedAt,
});
type Detail = { system?: string | undefined; row?: ClusterMemory; startedAt?: string; doubt?: Doubt };
const server =
  (kind: 'standby' | 'writable') =>
  (timeline: number, detail: Detail = {}): ServerState => ({
    kind,
    system: 'one',
    timeline,
    startedAt: `start of ${kind} ${timeline}`,
    row: undefined,
    ...detail,
  });
const writable = server('writable');
const standby = server('standby');
const silent: Detail = { system: undefined };

const summary = (choice: Choice): string =>
  'use' in choice ? `use ${choice.use}` : `${choice.refusal}${choice.isFinal ? ', for good' : ''}`;

type Case = readonly [what: string, servers: readonly ServerState[], remembered: ClusterMemory, outcome: string];

const cases: readonly Case[] = [
  ['a primary and its standby', [standby(1), writable(1)], nothingRemembered, 'use 1'],
  ['the old primary is back, not fenced', [writable(1), writable(2)], nothingRemembered, 'use 1'],
  ['the same, in the other order', [writable(2), writable(1)], row(1), 'use 0'],
  ['only the old primary answers, and this node knows better', [writable(1), away], row(2), 'lower timeline'],
  ['only the old primary answers, and nobody knows better', [writable(1), away], nothingRemembered, 'use 0'],
  ['the other server is away', [writable(2), away], row(2), 'use 0'],
  ['a standby has seen the new timeline', [writable(1), standby(2), away], row(1), 'lower timeline'],
  ['a standby lags behind a promotion', [writable(2), standby(1)], row(1), 'use 0'],
  ['no server is promoted yet', [standby(1), away], row(1), 'no primary'],
  ['none answers', [away, away], row(1), 'no primary'],
  ['two servers were promoted', [writable(2, { startedAt: 'a' }), writable(2)], row(1), 'two primaries'],
  ['two names of one server', [writable(2), writable(2)], row(1), 'use 0'],
  ['one name, the primary', [writable(3)], row(2), 'use 0'],
  ['one name, an old primary behind it', [writable(1)], row(2), 'lower timeline'],
  ['one name, a standby, for reading', [standby(1)], row(2), 'use 0'],
  ['another cluster', [writable(9, { system: 'two' })], row(1), 'other cluster, for good'],
  ['another cluster, while ours is away', [writable(9, { system: 'two' }), away], row(1), 'other cluster'],
  ['another cluster beside ours', [writable(9, { system: 'two' }), writable(1)], row(1), 'use 1'],
  [
    'two clusters, and none is known',
    [writable(1), standby(1, { system: 'two' })],
    nothingRemembered,
    'several clusters, for good',
  ],
  [
    'a dump of our database in another cluster',
    [writable(1, { system: 'two', row: row(1) })],
    nothingRemembered,
    'other cluster, for good',
  ],
  ['the same, adopted', [writable(1, { system: 'two', row: row(1, 5, 'two') })], row(7), 'use 0'],
  [
    'adopted before another was',
    [writable(1, { system: 'two', row: row(1, 5, 'two') })],
    row(7, 6),
    'other cluster, for good',
  ],
  [
    'a promotion by mistake that the operator undid',
    [writable(1, { row: row(1, 5) }), writable(2, { row: row(1) })],
    row(2),
    'use 0',
  ],
  ['the same, and only the mistake answers', [away, writable(2, { row: row(1) })], row(1, 5), 'not adopted'],
  [
    'a failover after an adoption',
    [writable(1, { row: row(1, 5) }), writable(2, { row: row(1, 5) })],
    row(1, 5),
    'use 1',
  ],
  [
    'a database of another installation, adopted later',
    [writable(1, { system: 'two', row: row(1, 9, 'two'), doubt: 'other installation' })],
    row(3),
    'other installation, for good',
  ],
  [
    'the same beside ours',
    [writable(1, { system: 'two', row: row(1, 9, 'two'), doubt: 'other installation' }), writable(3)],
    row(3),
    'use 1',
  ],
  [
    'a database of another installation on a later timeline',
    [writable(9, { doubt: 'other installation' }), writable(3)],
    row(3),
    'use 1',
  ],
  ['a database that nobody can vouch for', [writable(9, { doubt: 'unproved' })], row(3), 'unproved'],
  ['servers that may not be asked', [standby(0, silent), writable(0, silent)], nothingRemembered, 'use 1'],
  [
    'two primaries that may not be asked',
    [writable(0, silent), writable(0, { ...silent, startedAt: 'b' })],
    nothingRemembered,
    'two primaries',
  ],
  [
    'one may be asked, the other not',
    [writable(1), standby(0, silent)],
    nothingRemembered,
    'several clusters, for good',
  ],
  ['the permission to ask was taken away', [writable(0, silent)], row(1), 'untold, for good'],
  [
    'the same, adopted',
    [writable(0, { ...silent, row: { system: undefined, timeline: 0, adoptedAt: 5 } })],
    row(1),
    'use 0',
  ],
  [
    'the permission to ask was given',
    [writable(1, { row: { system: undefined, timeline: 0, adoptedAt: 5 } })],
    { system: undefined, timeline: 0, adoptedAt: 5 },
    'use 0',
  ],
];

describe('the choice of a PostgreSQL server', () => {
  for (const [what, servers, remembered, outcome] of cases)
    it(`${what}: ${outcome}`, () => assert.equal(summary(chooseServer(servers, remembered, undefined)), outcome));

  it('of two names of one server, the one in use stays', () => {
    assert.equal(summary(chooseServer([writable(2), writable(2)], row(2), 1)), 'use 1');
  });

  it('what a refusal has seen is remembered', () => {
    assert.deepEqual(chooseServer([writable(1), standby(2), away], row(1), 0).memory, row(2));
  });

  it('an adoption that a server carries about itself replaces what was remembered', () => {
    const { memory } = chooseServer([writable(1, { system: 'two', row: row(1, 5, 'two') })], row(7), undefined);
    assert.deepEqual(memory, row(1, 5, 'two'));
  });

  it('nothing is learned from a database of another installation', () => {
    const strangers = [
      writable(9, { doubt: 'other installation' }),
      standby(8, { doubt: 'unproved' }),
      writable(1, { system: 'two', row: row(1, 9, 'two'), doubt: 'other installation' }),
    ];
    for (const servers of [strangers, [...strangers, writable(2)]])
      assert.deepEqual(chooseServer(servers, row(2), undefined).memory, row(2));
  });

  it('for any servers, a lower timeline or another cluster is never used, and what is remembered never falls', () => {
    const random = createRandom(1);
    const below = (count: number) => Math.floor(random() * count);
    const pick = <T>(items: readonly T[]): T => items[below(items.length)] ?? assert.fail();
    const anyRow = () => row(below(4), pick([0, 0, 5, 6]), pick(['one', 'one', 'two']));
    const anyServer = (): ServerState =>
      below(5) === 0
        ? away
        : pick([writable, standby])(1 + below(3), {
            system: pick(['one', 'one', 'two']),
            startedAt: pick(['a', 'b']),
            ...(below(2) === 0 && { row: anyRow() }),
            ...(below(6) === 0 && { doubt: pick(['other installation', 'unproved']) }),
          });
    const seen = { used: 0, refused: 0 };
    for (let round = 0; round < 20_000; round++) {
      const servers = Array.from({ length: 1 + below(3) }, anyServer);
      const remembered = below(3) === 0 ? nothingRemembered : anyRow();
      const choice = chooseServer(servers, remembered, below(3));
      const { memory } = choice;
      assert.ok(!isLater(remembered, memory));
      if (memory.adoptedAt === remembered.adoptedAt && remembered.system !== undefined)
        assert.equal(memory.system, remembered.system);
      // Nothing is learned twice: the same answers give the same choice again.
      assert.deepEqual(chooseServer(servers, memory, 'use' in choice ? choice.use : undefined), choice);
      const ours = servers.filter((state) => state.kind === 'away' || state.doubt === undefined);
      assert.deepEqual(chooseServer(ours, remembered, undefined).memory, memory);
      if (!('use' in choice)) {
        seen.refused += 1;
        continue;
      }
      seen.used += 1;
      const used = servers[choice.use];
      assert.ok(used !== undefined && used.kind !== 'away');
      assert.equal(standingOf(used, memory), 'member');
      if (used.kind === 'standby') assert.equal(servers.length, 1);
      else assert.equal(used.timeline, memory.timeline);
      for (const other of servers) {
        if (other.kind === 'away' || standingOf(other, memory) !== 'member') continue;
        assert.ok(other.timeline <= memory.timeline);
        assert.equal(other.system, used.system);
        const isSecond = other.kind === 'writable' && other.timeline === memory.timeline;
        if (isSecond) assert.equal(other.startedAt, used.startedAt);
      }
    }
    assert.ok(seen.used > 1000 && seen.refused > 1000, JSON.stringify(seen));
  });
});
