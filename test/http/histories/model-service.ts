// A service in memory that answers as a model allows, with faults that a real one could have, to show that the search finds them.
import { setImmediate as turn } from 'node:timers/promises';
import type { Model } from '../../helpers/histories/linearizability.ts';
import type { Random } from '../../helpers/histories/record.ts';
import type { FileNode } from './file-clients.ts';
import { type FileInput, type FileOutput, type FileState, fileModel } from './file-model.ts';
import type { UserNode } from './user-clients.ts';
import { type UserInput, type UserOutput, type UserState, userModel } from './user-model.ts';

export type ServiceFault = 'none' | 'reads before it writes' | 'a stale node' | 'a lost write';

type Service<Input, Output> = (input: Input, node: number) => Promise<Output>;

/** Two nodes over one state. `offer` gives the answers that the service may give, the most likely first. */
function createService<State, Input extends { readonly act: string }, Output>(
  { initial, step }: Model<State, Input, Output>,
  offer: (state: State, input: Input) => Output[],
  fault: ServiceFault,
  random: Random,
): Service<Input, Output> {
  const states = [initial];
  const pause = async () => {
    while (random() < 0.6) await turn();
  };
  return async (input, node) => {
    await pause();
    const isRead = input.act === 'list' || input.act === 'check link';
    const lag = fault === 'a stale node' && node === 1 && isRead ? 4 : 1;
    const state = states.at(-lag) ?? initial;
    if (fault === 'reads before it writes') await pause();
    const offers = offer(state, input);
    // Where a fault has spoilt the state, the last one.
    const output = offers.find((one) => step(state, input, one) !== undefined) ?? (offers.at(-1) as Output);
    const isLost = fault === 'a lost write' && input.act !== 'reserve' && random() < 0.1;
    const next = step(state, input, output);
    if (!isLost && !isRead && next !== undefined) states.push(next);
    await pause();
    return output;
  };
}

let serial = 0;

export function createUserNodes(fault: ServiceFault, random: Random, links: readonly string[]): UserNode[] {
  const service = createService(userModel(links, firstSession), offerToUser, fault, random);
  return [0, 1].map((node) => (input) => service(input, node));
}

export const firstSession = { id: 'the first session', token: 'its first token', tokens: ['its first token'] };

function offerToUser({ sessions }: UserState, input: UserInput): UserOutput[] {
  serial += 1;
  const refusals = ['401 SESSION_REVOKED', '401 REFRESH_TOKEN_REUSED', '400 OTP_INVALID', '400 LINK_INVALID'];
  const others = ['429 OTP_ATTEMPTS_EXCEEDED', '404 NOT_FOUND'].map((outcome) => ({ outcome }));
  const mine = 'by' in input ? sessions.find(({ id }) => id === input.by)?.user : undefined;
  const live = sessions.filter(({ user, isAlive }) => isAlive && user === mine).map(({ id }) => id);
  const last =
    'token' in input ? sessions.find(({ tokens }) => tokens.includes(input.token))?.tokens.at(-1) : undefined;
  return [
    ...refusals.map((outcome) => ({ outcome })),
    ...(last === undefined ? [] : [{ outcome: '200', token: last }]),
    ...(input.act === 'list' ? [{ outcome: '200', sessions: live }] : []),
    { outcome: '200' },
    { outcome: '200', sessions: [`session ${serial}`], token: `token ${serial}` },
    ...others,
  ];
}

/** An upload reserves first, and stores later. */
export function createFileNodes(fault: ServiceFault, random: Random): FileNode[] {
  const service = createService<FileState, FileInput, FileOutput>(fileModel, offerOfFiles, fault, random);
  return [0, 1].map((node) => ({
    upload: async () => {
      const upload = ++serial;
      const reserved = await service({ act: 'reserve', upload }, node);
      return reserved.outcome === '201' ? service({ act: 'store', upload }, node) : reserved;
    },
    remove: (file) => service({ act: 'delete', file }, node),
    list: () => service({ act: 'list' }, node),
  }));
}

function offerOfFiles({ files }: FileState, input: FileInput): FileOutput[] {
  serial += 1;
  const stored = { outcome: '201', files: [`file ${serial}`] };
  const others = ['201', '403 FILE_QUOTA_EXCEEDED', '404 FILE_NOT_FOUND', '200'].map((outcome) => ({ outcome }));
  return input.act === 'store' ? [stored] : [{ outcome: '200', files }, ...others];
}
