// The models of users and files accept the histories of a right service, and refuse those of a service with a fault.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findOrder, type HistoryCall } from '../../helpers/histories/linearizability.ts';
import { createRandom } from '../../helpers/histories/record.ts';
import { playFiles } from './file-clients.ts';
import { type FileInput, type FileOutput, fileModel } from './file-model.ts';
import { createFileNodes, createUserNodes, firstSession, type ServiceFault } from './model-service.ts';
import { playUser } from './user-clients.ts';
import { type UserInput, type UserOutput, userModel } from './user-model.ts';

const seeds = Array.from({ length: 12 }, (_, at) => at + 1);
const links = ['link 1', 'link 2'];

/** Times are counted, not measured: the same seed gives the same history. */
function createClock(): () => number {
  let time = 0;
  return () => ++time;
}

async function playUserOn(fault: ServiceFault, seed: number): Promise<boolean> {
  const random = createRandom(seed);
  const nodes = createUserNodes(fault, random, links);
  const history = { nodes, links, first: firstSession, clients: 4, callsEach: 8, random, now: createClock() };
  return findOrder(userModel(links, firstSession), await playUser(history)).isLinearizable;
}

async function playFilesOn(fault: ServiceFault, seed: number): Promise<boolean> {
  const random = createRandom(seed);
  const nodes = createFileNodes(fault, random);
  return findOrder(fileModel, await playFiles({ nodes, clients: 4, callsEach: 8, random, now: createClock() }))
    .isLinearizable;
}

const plays = { 'one user': playUserOn, 'the files of a user': playFilesOn } as const;
const faults = ['reads before it writes', 'a stale node', 'a lost write'] as const;

for (const [name, play] of Object.entries(plays)) {
  describe(`the model of ${name}`, () => {
    it('accepts every history of a service without a fault', async () => {
      for (const seed of seeds) assert.ok(await play('none', seed), `seed ${seed}`);
    });

    for (const fault of faults) {
      it(`refuses histories of a service with this fault: ${fault}`, async () => {
        const verdicts = await Promise.all(seeds.map((seed) => play(fault, seed)));
        assert.ok(verdicts.filter((isAccepted) => !isAccepted).length >= seeds.length / 4, verdicts.join());
      });
    }
  });
}

const first = { id: 's', token: 'a' };
const model = userModel(['l', 'm'], first);
const during = { calledAt: 0, returnedAt: 9 };
const entered = (id: string, token: string): UserOutput => ({ outcome: '200', sessions: [id], token });

type UserCall = HistoryCall<UserInput, UserOutput>;

const refused: readonly (readonly [name: string, history: readonly UserCall[]])[] = [
  [
    'one code that signs two clients in',
    [
      { input: { act: 'send' }, output: { outcome: '200' }, calledAt: -2, returnedAt: -1 },
      { input: { act: 'guess right' }, output: entered('x', 'b'), ...during },
      { input: { act: 'guess right' }, output: entered('y', 'c'), ...during },
    ],
  ],
  [
    'two links of one user that both sign in',
    [
      { input: { act: 'redeem', link: 'l' }, output: entered('x', 'b'), ...during },
      { input: { act: 'redeem', link: 'm' }, output: entered('y', 'c'), ...during },
    ],
  ],
  [
    'one refresh token with two successors',
    [
      { input: { act: 'refresh', token: 'a' }, output: { outcome: '200', token: 'b' }, ...during },
      { input: { act: 'refresh', token: 'a' }, output: { outcome: '200', token: 'c' }, ...during },
    ],
  ],
  [
    'a session that is listed after it was signed out',
    [
      { input: { act: 'sign out', by: 's', scope: 'local' }, output: { outcome: '200' }, calledAt: 0, returnedAt: 1 },
      { input: { act: 'list', by: 's' }, output: { outcome: '200', sessions: ['s'] }, calledAt: 2, returnedAt: 3 },
    ],
  ],
  [
    'a live session that is refused',
    [{ input: { act: 'list', by: 's' }, output: { outcome: '401 SESSION_REVOKED' }, ...during }],
  ],
  [
    'a refresh token that works after the account was deleted',
    [
      { input: { act: 'delete account', by: 's' }, output: { outcome: '200' }, calledAt: 0, returnedAt: 1 },
      { input: { act: 'refresh', token: 'a' }, output: { outcome: '200', token: 'b' }, calledAt: 2, returnedAt: 3 },
    ],
  ],
];

describe('the model of a user, given one history', () => {
  for (const [name, history] of refused) {
    it(`refuses ${name}`, () => assert.equal(findOrder(model, history).isLinearizable, false));
  }

  it('accepts one refresh token that gets one successor twice', () => {
    const output = { outcome: '200', token: 'b' };
    const twice = [0, 1].map((): UserCall => ({ input: { act: 'refresh', token: 'a' }, output, ...during }));
    assert.ok(findOrder(model, twice).isLinearizable);
  });

  it('accepts that a session of a deleted account does not find a session of the next one, which then goes on', () => {
    const one = (at: number, input: UserInput, output: UserOutput): UserCall => ({
      input,
      output,
      calledAt: at,
      returnedAt: at + 0.5,
    });
    const history = [
      one(0, { act: 'delete account', by: 's' }, { outcome: '200' }),
      one(1, { act: 'send' }, { outcome: '200' }),
      one(2, { act: 'guess right' }, entered('x', 'b')),
      // Its node does not know yet that it has ended.
      one(3, { act: 'end', by: 's', session: 'x' }, { outcome: '404 NOT_FOUND' }),
    ];
    const last = (output: UserOutput) => [...history, one(4, { act: 'refresh', token: 'b' }, output)];
    assert.ok(findOrder(model, last({ outcome: '200', token: 'c' })).isLinearizable);
    assert.equal(findOrder(model, last({ outcome: '401 SESSION_REVOKED' })).isLinearizable, false);
  });
});

describe('the model of files, given one history', () => {
  const reserve = (upload: number, outcome: string, calledAt: number): HistoryCall<FileInput, FileOutput> => ({
    input: { act: 'reserve', upload },
    output: { outcome },
    calledAt,
    returnedAt: 9,
  });
  const uploads = [1, 2, 3].map((upload) => reserve(upload, '201', 0));

  it('accepts a refusal while the last places are reserved', () => {
    assert.ok(findOrder(fileModel, [...uploads, reserve(4, '403 FILE_QUOTA_EXCEEDED', 5)]).isLinearizable);
  });

  it('refuses a fourth upload within a quota of three', () => {
    assert.equal(findOrder(fileModel, [...uploads, reserve(4, '201', 5)]).isLinearizable, false);
  });

  it('refuses one file that two calls deleted', () => {
    const deleted = (calledAt: number): HistoryCall<FileInput, FileOutput> => ({
      input: { act: 'delete', file: 'f' },
      output: { outcome: '200' },
      calledAt,
      returnedAt: 9,
    });
    const stored: HistoryCall<FileInput, FileOutput> = {
      input: { act: 'store', upload: 1 },
      output: { outcome: '201', files: ['f'] },
      calledAt: 0,
      returnedAt: 1,
    };
    assert.ok(findOrder(fileModel, [...uploads.slice(0, 1), stored, deleted(2)]).isLinearizable);
    assert.equal(findOrder(fileModel, [...uploads.slice(0, 1), stored, deleted(2), deleted(2)]).isLinearizable, false);
  });
});
