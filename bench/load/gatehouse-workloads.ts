// The workloads of Gatehouse. Each prepares the users, codes and files that it needs through the interface of the service.
import { setTimeout as sleep } from 'node:timers/promises';
import { expectAnswer, type Peer } from '../peers/peer.ts';
import { appWorkloads } from './app-workloads.ts';
import { type Caller, drive, request } from './drive.ts';
import * as files from './file-callers.ts';
import {
  getCaller,
  host,
  newPhone,
  type Pair,
  type PhoneAndCode,
  refreshCaller,
  repeat,
  sendCaller,
  signInCallers,
  type Users,
} from './sign-in-callers.ts';

/** More than a service can do in a second. */
const signInsPerSecond = 5000;
const kibibyte = 1024;
const mebibyte = 1024 ** 2;

/** `codes` has the last code that the service has sent to each phone number. */
export function createWorkloads(port: number, codes: ReadonlyMap<string, string>): Peer['workloads'] {
  const users: Users = { asked: [], known: [], pairs: [] };
  const signIn = (count: number) => signInSome(port, users, codes, count);
  const forUsers = (create: (token: string) => Caller) => async (connections: number) =>
    (await signIn(connections)).map(({ JWT }) => create(JWT));
  const upload = (content: files.Upload) => forUsers((token) => files.uploadCaller(token, content));
  const download = (bytes: number) => async (connections: number) => {
    const [{ JWT = '' } = {}] = await signIn(1);
    const id = await files.uploadOne(port, JWT, files.filmOf(bytes));
    return repeat(connections, () => getCaller(`/file/${id}`, JWT, 'ftyp'));
  };
  /** Only if files are in S3: the service redirects and serves no bytes. */
  const redirect = async (connections: number) => {
    const [{ JWT = '' } = {}] = await signIn(1);
    const id = await files.uploadOne(port, JWT, files.filmOf(20 * kibibyte));
    const text = request(`GET /file/${id}?redirect=1`, host, { authorization: `Bearer ${JWT}` });
    const check: Caller['check'] = (status, body) => expectAnswer(status, body, 302, '');
    return repeat(connections, () => ({ ask: () => text, check }));
  };
  return {
    live: async (connections) => repeat(connections, () => getCaller('/livez', undefined, '')),
    redirect,
    ...appWorkloads(port, async (count) => (await signIn(count)).map(({ RT }) => RT)),
    sendCode: async (connections) => repeat(connections, () => sendCaller(() => notePhone(users))),
    signInNew: async (connections, seconds = 4) => {
      const list = await collectCodes(port, users, codes, Math.ceil(seconds * signInsPerSecond));
      return signInCallers(connections, list, users);
    },
    signInKnown: async (connections) => {
      const known = users.known.splice(0);
      await sendAgain(port, known, codes);
      return signInCallers(connections, withCodes(known, codes), users);
    },
    refresh: async (connections) => (await signIn(connections)).map(refreshCaller),
    sessionCheck: forUsers((token) => getCaller('/api/auth/me', token, '"phone"')),
    upload20KiB: upload(files.filmOf(20 * kibibyte)),
    upload1MiB: upload(files.filmOf(mebibyte)),
    uploadForm1MiB: forUsers((token) => files.formCaller(token, files.filmOf(mebibyte))),
    uploadText1MiB: upload(files.textOf(mebibyte, files.mixedLine)),
    uploadAscii1MiB: upload(files.textOf(mebibyte, files.asciiLine)),
    upload100MiB: (connections) => upload(files.filmOf(100 * mebibyte))(connections),
    uploadResumable1MiB: forUsers((token) => files.resumableCaller(token, files.filmOf(mebibyte))),
    uploadResumable100MiB: forUsers((token) => files.resumableCaller(token, files.filmOf(100 * mebibyte))),
    uploadHalf50MiB: forUsers((token) => files.partCaller(token, files.filmOf(100 * mebibyte))),
    download4KiB: download(4 * kibibyte),
    download100MiB: download(100 * mebibyte),
  };
}

function notePhone({ asked }: Users): string {
  const phone = newPhone();
  asked.push(phone);
  return phone;
}

/** Users who have received a code and have not signed in. */
async function collectCodes(
  port: number,
  { asked }: Users,
  codes: ReadonlyMap<string, string>,
  count: number,
): Promise<PhoneAndCode[]> {
  const fresh = asked.splice(0);
  const more = repeat(Math.max(0, count - fresh.length), newPhone);
  await sendAgain(port, more, codes);
  return withCodes([...fresh, ...more], codes);
}

function withCodes(phones: readonly string[], codes: ReadonlyMap<string, string>): PhoneAndCode[] {
  return phones.map((phone) => [phone, codes.get(phone) ?? '']);
}

async function sendAgain(port: number, phones: readonly string[], codes: ReadonlyMap<string, string>): Promise<void> {
  const left = phones.values();
  const before = new Map(phones.map((phone) => [phone, codes.get(phone)]));
  const callers = repeat(16, () => sendCaller(() => left.next().value));
  await drive({ host, port, callers, seconds: 60 });
  const isMissing = (phone: string) => codes.get(phone) === undefined || codes.get(phone) === before.get(phone);
  for (let round = 0; round < 100 && phones.some(isMissing); round++) await sleep(100);
}

async function signInSome(
  port: number,
  users: Users,
  codes: ReadonlyMap<string, string>,
  count: number,
): Promise<Pair[]> {
  if (users.pairs.length < count) {
    const list = await collectCodes(port, users, codes, count);
    await drive({ host, port, callers: signInCallers(8, list.slice(0, count), users), seconds: 60 });
  }
  return users.pairs.splice(-count);
}
