// The cost of large files: uploads and downloads of 200 MiB, one and fifty at once, with the resident memory of the service.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/helpers/databases/postgres-server.ts';
import { call, signIn } from '../test/helpers/requests/api.ts';
import { type GatehouseProcess, spawnGatehouse } from '../test/helpers/services/gatehouse.ts';

const mebibyte = 2 ** 20;
const fileBytes = 200 * mebibyte;
const crowd = 50;
const goalMebibytes = 64;
const restMilliseconds = 3000;
const lookEveryMilliseconds = 25;

type Form = 'raw' | 'multipart';
type Way = `${Form} upload` | 'download';
type Figures = {
  readonly way: Way;
  readonly atOnce: number;
  readonly mebibytesPerSecond: number;
  /** The peak of resident memory above the level after the warm-up. */
  readonly growthMebibytes: number;
};
type Visit = { readonly service: GatehouseProcess; readonly agent: Agent; readonly token: string };
type Round = Visit & { readonly warmMebibytes: number };

/** A video, padded to the given size with a box that players skip. */
const film = readFileSync(new URL('../media/test/fixtures/files/ffmpeg-faststart.mp4', import.meta.url));
const filler = Buffer.alloc(256 * 1024, 1);
const frames: Readonly<Record<Form, { type: string; head: string; tail: string }>> = {
  raw: { type: 'video/mp4', head: '', tail: '' },
  multipart: {
    type: 'multipart/form-data; boundary=frame',
    head: '--frame\r\nContent-Disposition: form-data; name="file"; filename="film.mp4"\r\nContent-Type: video/mp4\r\n\r\n',
    tail: '\r\n--frame--\r\n',
  },
};

const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-files-'));
const service = await spawnGatehouse({
  PORT: String(await freePort()),
  DATA_DIR: dataDir,
  METRICS_PORT: 'off',
  LOG_LEVEL: 'silent',
  LIMIT_UPLOADS_PER_USER: 'off',
  FILE_QUOTA: '20GiB',
});
const agent = new Agent({ keepAlive: true });
try {
  await sleep(restMilliseconds);
  const idle = residentMebibytes(service);
  const { JWT: token } = await signIn(service.url, '+12025550199');
  const visit = { service, agent, token };
  const warm = await warmUp(visit);
  const round = { ...visit, warmMebibytes: warm };
  print(idle, warm, [...(await measure(round, 1)), ...(await measure(round, crowd))]);
} finally {
  agent.destroy();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Code that is loaded and compiled for the first file does not count as growth. */
async function warmUp(visit: Visit): Promise<number> {
  for (let round = 0; round < 20; round++) {
    const id = await upload(visit, round % 2 === 0 ? 'raw' : 'multipart', 4 * mebibyte);
    await download(visit, id);
    await remove(visit, id);
  }
  await sleep(restMilliseconds);
  return residentMebibytes(visit.service);
}

async function measure(round: Round, atOnce: number): Promise<Figures[]> {
  const figures: Figures[] = [];
  let ids: string[] = [];
  for (const form of ['multipart', 'raw'] as const) {
    await Promise.all(ids.map((id) => remove(round, id)));
    const uploads = async () => {
      ids = await Promise.all(Array.from({ length: atOnce }, () => upload(round, form, fileBytes)));
    };
    figures.push(await watch(round, `${form} upload`, atOnce, uploads));
  }
  const downloads = async () => void (await Promise.all(ids.map((id) => download(round, id))));
  figures.push(await watch(round, 'download', atOnce, downloads));
  await Promise.all(ids.map((id) => remove(round, id)));
  return figures;
}

async function watch(round: Round, way: Way, atOnce: number, act: () => Promise<void>): Promise<Figures> {
  const { service, warmMebibytes } = round;
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, residentMebibytes(service));
  }, lookEveryMilliseconds);
  const begun = performance.now();
  await act();
  const seconds = (performance.now() - begun) / 1000;
  clearInterval(timer);
  return {
    way,
    atOnce,
    mebibytesPerSecond: Math.round((atOnce * fileBytes) / mebibyte / seconds),
    growthMebibytes: Math.round(peak - warmMebibytes),
  };
}

async function upload({ service, agent, token }: Visit, form: Form, bytes: number): Promise<string> {
  const box = Buffer.alloc(8);
  box.writeUInt32BE(bytes - film.length);
  box.write('free', 4, 'latin1');
  const { type, head, tail } = frames[form];
  const headers = { 'content-type': type, 'content-length': head.length + bytes + tail.length };
  const sent = request(`${service.url}/api/file/upload?purpose=video&name=film.mp4`, {
    agent,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) =>
    sent.once('response', resolve).once('error', reject),
  );
  answer.catch(() => undefined);
  let left = bytes - film.length - box.length;
  sent.write(Buffer.concat([Buffer.from(head), film, box]));
  while (left > 0) {
    const piece = filler.subarray(0, Math.min(left, filler.length));
    left -= piece.length;
    await new Promise<void>((resolve, reject) => {
      sent.write(piece, (error) => (error ? reject(error) : resolve()));
    });
  }
  sent.end(tail);
  const response = await answer;
  const text = Buffer.concat(await response.toArray()).toString();
  if (response.statusCode !== 201) throw new Error(text);
  return (JSON.parse(text) as { data: { id: string } }).data.id;
}

async function download({ service, agent, token }: Visit, id: string): Promise<void> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    request(`${service.url}/file/${id}`, { agent, headers }, resolve).once('error', reject).end();
  });
  let left = Number(response.headers['content-length']);
  for await (const chunk of response as AsyncIterable<Buffer>) left -= chunk.length;
  if (response.statusCode !== 200 || left !== 0) throw new Error(`HTTP ${response.statusCode}, ${left} bytes missing`);
}

async function remove({ service, token }: Visit, id: string): Promise<void> {
  const { status, body } = await call(service.url, 'DELETE', `/api/file/${id}`, { token });
  if (status !== 200) throw new Error(body.message);
}

/** Only Linux reports it for another process. */
function residentMebibytes({ child }: GatehouseProcess): number {
  const path = `/proc/${child.pid}/status`;
  const kibibytes = existsSync(path) ? /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(path, 'utf8'))?.[1] : undefined;
  return Number(kibibytes ?? Number.NaN) / 1024;
}

function print(idle: number, warm: number, figures: readonly Figures[]): void {
  const [idleMebibytes, warmMebibytes] = [Math.round(idle), Math.round(warm)];
  console.log(`Resident memory: ${idleMebibytes} MiB after the start, ${warmMebibytes} MiB after the warm-up\n`);
  console.log('| 200 MiB files | at once | MiB/s | growth, MiB | goal |');
  console.log('|---|---|---|---|---|');
  for (const { way, atOnce, mebibytesPerSecond, growthMebibytes } of figures) {
    const verdict = `${growthMebibytes < goalMebibytes ? '✔' : '✖'} < ${goalMebibytes}`;
    console.log(`| ${way} | ${atOnce} | ${mebibytesPerSecond} | ${growthMebibytes} | ${verdict} |`);
  }
  console.log(`\n${JSON.stringify({ idleMebibytes, warmMebibytes, figures })}`);
}
