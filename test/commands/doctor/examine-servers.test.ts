// The doctor's finding about the servers of DATABASE_URL: state, detail and cure for each case.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { judgeServers } from '../../../src/commands/doctor/examine-servers.ts';
import type { DatabaseCluster, DatabaseServer } from '../../../src/store/open-store.ts';

type State = DatabaseServer['state'];

const away: State = { kind: 'away' };
const server = (kind: 'writable' | 'standby', timeline: number, system: string | undefined = 'one'): State => ({
  kind,
  timeline,
  system,
  startedAt: `${kind} ${timeline}`,
  row: undefined,
});
const silent: State = { kind: 'writable', timeline: 0, system: undefined, startedAt: 'now', row: undefined };
const memory = { system: 'one', timeline: 2, adoptedAt: 0 };
const use = (at: number): DatabaseCluster['choice'] => ({ use: at, memory });
const refused = { refusal: 'lower timeline', isFinal: false, memory } as const;

const cases: readonly (readonly [string, readonly State[], DatabaseCluster['choice'], string, RegExp])[] = [
  [
    'a primary and its standby',
    [server('writable', 2), server('standby', 2)],
    use(0),
    'good',
    /^a accepts writes, timeline 2; b standby, timeline 2$/,
  ],
  ['a server is away', [server('writable', 2), away], use(0), 'doubtful', /b does not answer/],
  [
    'an old primary beside the new one',
    [server('writable', 1), server('writable', 2)],
    use(1),
    'doubtful',
    /an old primary still accepts writes/,
  ],
  [
    'a server of another cluster',
    [server('writable', 2), server('standby', 1, 'two')],
    use(0),
    'doubtful',
    /not all are of one cluster/,
  ],
  [
    'a server that does not tell',
    [silent],
    use(0),
    'doubtful',
    /timeline unknown: an old primary could not be distinguished/,
  ],
  ['only an old primary', [server('writable', 1), away], refused, 'bad', /lower timeline$/],
];

describe('the finding about the servers of DATABASE_URL', () => {
  for (const [what, states, choice, state, detail] of cases)
    it(`${what}: ${state}`, () => {
      const servers = states.map((one, at) => ({ place: ['a', 'b'][at] ?? '', state: one }));
      const finding = judgeServers({ choice, servers });
      assert.equal(finding.state, state);
      assert.match(finding.detail, detail);
      assert.equal(finding.cure === undefined, state === 'good');
    });

  it('a damaged file of this node is bad, whatever the servers say', () => {
    const servers = [{ place: 'a', state: server('writable', 2) }];
    const finding = judgeServers({ choice: use(0), servers, damagedFile: '/data/database-cluster.json' });
    assert.equal(finding.state, 'bad');
    assert.match(finding.detail, /database-cluster\.json is damaged/);
    assert.match(finding.cure ?? '', /gatehouse database adopt/);
  });
});
