// Clients that upload, delete and list the files of one user at random.

import type { HistoryCall } from '../../helpers/histories/linearizability.ts';
import { pickOne, pickWeighted, type Random } from '../../helpers/histories/record.ts';
import type { FileInput, FileOutput } from './file-model.ts';

export type FileNode = {
  upload(): Promise<FileOutput>;
  remove(file: string): Promise<FileOutput>;
  list(): Promise<FileOutput>;
};

type FileHistory = {
  readonly nodes: readonly FileNode[];
  readonly clients: number;
  readonly callsEach: number;
  readonly random: Random;
  readonly now: () => number;
};

export async function playFiles(history: FileHistory): Promise<HistoryCall<FileInput, FileOutput>[]> {
  const { nodes, clients, callsEach, random, now } = history;
  const calls: HistoryCall<FileInput, FileOutput>[] = [];
  const known: string[] = [];
  let uploads = 0;
  const act = async () => {
    const node = pickOne(random, nodes);
    if (node === undefined) throw new Error('no node');
    const what = pickWeighted(random, { upload: 5, delete: known.length === 0 ? 0 : 4, list: 2 });
    const file = pickOne(random, known.slice(-4)) ?? '';
    const calledAt = now();
    if (what === 'upload') {
      const upload = ++uploads;
      const output = await node.upload();
      const times = { calledAt, returnedAt: now() };
      calls.push({ input: { act: 'reserve', upload }, output: { outcome: output.outcome }, ...times });
      if (output.outcome === '201') calls.push({ input: { act: 'store', upload }, output, ...times });
      known.push(...(output.files ?? []));
      return;
    }
    const output = await (what === 'list' ? node.list() : node.remove(file));
    const input: FileInput = what === 'list' ? { act: 'list' } : { act: 'delete', file };
    calls.push({ input, output, calledAt, returnedAt: now() });
  };
  const client = async () => {
    for (let count = 0; count < callsEach; count++) await act();
  };
  await Promise.all(Array.from({ length: clients }, client));
  return calls;
}
