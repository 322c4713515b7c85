// Clients that sign in as one user, refresh, list and end sessions at random, knowing what any of them has been told.
import { createRecorder, pickOne, pickWeighted, type Random, type Recorder } from '../../helpers/histories/record.ts';
import type { UserInput, UserOutput } from './user-model.ts';

/** Answers the calls of one user. There may be several nodes. */
export type UserNode = (input: UserInput) => Promise<UserOutput>;

type Known = { readonly id: string; readonly tokens: readonly string[] };

type Act = UserInput['act'] | 'refresh again' | 'reuse';

/** Mostly acts that keep sessions alive, so that others have something to end. */
const weights: Readonly<Record<Act, number>> = {
  send: 6,
  'guess right': 8,
  'guess wrong': 1,
  redeem: 2,
  'check link': 2,
  refresh: 10,
  'refresh again': 4,
  reuse: 1,
  list: 6,
  'sign out': 2,
  end: 2,
  'delete account': 0.5,
};

type UserHistory = {
  readonly nodes: readonly UserNode[];
  readonly links?: readonly string[];
  readonly first?: Known;
  readonly clients: number;
  readonly callsEach: number;
  readonly random: Random;
  readonly now: () => number;
};

/** The calls of all clients, in the order of their answers. */
export async function playUser(history: UserHistory): Promise<Recorder<UserInput, UserOutput>['calls']> {
  const { nodes, links = [], first, clients, callsEach, random, now } = history;
  const recorder = createRecorder<UserInput, UserOutput>(now);
  const sessions: { id: string; tokens: string[] }[] =
    first === undefined ? [] : [{ ...first, tokens: [...first.tokens] }];
  const act = async () => {
    const input = chooseInput(random, sessions, links);
    const node = pickOne(random, nodes);
    if (node === undefined) throw new Error('no node');
    const { outcome, sessions: [id = ''] = [], token } = await recorder.record(input, () => node(input));
    if (outcome !== '200' || token === undefined) return;
    if (input.act === 'guess right' || input.act === 'redeem') sessions.push({ id, tokens: [token] });
    if (input.act === 'refresh') {
      const session = sessions.find(({ tokens }) => tokens.includes(input.token));
      if (session !== undefined && !session.tokens.includes(token)) session.tokens.push(token);
    }
  };
  const client = async () => {
    for (let count = 0; count < callsEach; count++) await act();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return recorder.calls;
}

function chooseInput(random: Random, sessions: readonly Known[], links: readonly string[]): UserInput {
  // The newest sessions: most of the older ones have ended.
  const session = pickOne(random, sessions.slice(-3));
  const link = pickOne(random, links);
  for (;;) {
    const act = pickWeighted(random, weights);
    if (act === 'redeem' || act === 'check link') {
      if (link !== undefined) return { act, link };
    } else if (act === 'send' || act === 'guess right' || act === 'guess wrong') return { act };
    else if (session !== undefined) return chooseBySession(random, act, session, sessions);
  }
}

function chooseBySession(
  random: Random,
  act: Exclude<Act, 'send' | 'guess right' | 'guess wrong' | 'redeem' | 'check link'>,
  { id: by, tokens }: Known,
  sessions: readonly Known[],
): UserInput {
  const tokenBefore = (back: number) => tokens.at(-1 - back) ?? tokens[0] ?? '';
  switch (act) {
    case 'refresh':
      return { act: 'refresh', token: tokenBefore(0) };
    case 'refresh again':
      return { act: 'refresh', token: tokenBefore(1) };
    case 'reuse':
      return { act: 'refresh', token: tokenBefore(2) };
    case 'list':
    case 'delete account':
      return { act, by };
    case 'sign out':
      return { act, by, scope: pickWeighted(random, { local: 4, others: 2, global: 1 }) };
    case 'end':
      return { act, by, session: pickOne(random, sessions)?.id ?? by };
  }
}
