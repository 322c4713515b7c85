// A thread that uploads hostile files while it is told to, so that the load does not delay the thread that measures.
import { parentPort, workerData } from 'node:worker_threads';
import { worstFiles } from '../../media/test/helpers/worst-media-files.ts';
import { call } from '../../test/helpers/requests/api.ts';

export type HostileWork = { readonly url: string; readonly tokens: readonly string[] };
/** To the thread: begin, or end and say how many uploads there were. */
export type HostileOrder = 'begin' | 'end';
export type HostileNews = { readonly kind: 'begun' } | { readonly kind: 'ended'; readonly uploads: number };

const fileBytes = 8 * 2 ** 20;
const hostile = [
  ['text', 'the beginnings of tags', 'document'],
  ['PDF', 'one run of many rows', 'document'],
  ['Ogg', 'pages of one byte', 'audio'],
  ['MP4', 'fragments of one sample', 'video'],
] as const;

const { url, tokens } = workerData as HostileWork;
const files = hostile.map(([prover, name, purpose]) => {
  const file = worstFiles.find((worst) => worst.prover === prover && worst.name === name);
  if (file === undefined) throw new Error(`there is no hostile file ${prover}, ${name}`);
  return { purpose, bytes: new Uint8Array(file.make(fileBytes)) };
});
let isOver = true;
let attack: Promise<number[]> = Promise.resolve([]);

parentPort?.on('message', async (order: HostileOrder) => {
  if (order === 'begin') {
    isOver = false;
    const first = Promise.withResolvers<void>();
    attack = Promise.all(files.map((file, at) => uploadUntilOver(file, tokens[at] ?? '', first.resolve)));
    await Promise.race([first.promise, attack]);
    return tell({ kind: 'begun' });
  }
  isOver = true;
  const counts = await attack;
  return tell({ kind: 'ended', uploads: counts.reduce((sum, count) => sum + count, 0) });
});

function tell(news: HostileNews): void {
  parentPort?.postMessage(news);
}

async function uploadUntilOver(
  { purpose, bytes }: (typeof files)[number],
  token: string,
  onFirst: () => void,
): Promise<number> {
  let uploads = 0;
  for (; !isOver; uploads += 1) {
    const response = await fetch(`${url}/api/file/upload?purpose=${purpose}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' },
      body: bytes,
    });
    const { data } = (await response.json()) as { data: { id: string } | null };
    // An upload that is refused at once would cause no load, and the result would be meaningless.
    if (data === null) throw new Error(`a hostile upload was answered with ${response.status}`);
    await call(url, 'DELETE', `/api/file/${data.id}`, { token });
    onFirst();
  }
  return uploads;
}
