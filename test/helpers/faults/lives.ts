// Users who do every kind of write, one step after the other, and note the answers, until the service is gone.
import assert from 'node:assert/strict';
import { createHash, randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { bind, codeIn, linkTokenIn, type Message, redeem, sendBinding, sendLink } from '../people/users.ts';
import { call, logIn, type Pair, type Reply, refresh, sendOtp } from '../requests/api.ts';
import { upload } from '../requests/upload.ts';
import { wavFile } from '../uploads/sample-files.ts';
import type { Acknowledgements, Note, Step } from './acknowledgements.ts';

let serial = randomInt(1_000_000);
/** Written from memory through the cache of the system, from memory past it, and from a temporary file. */
const sizes = [100_000, 300_000, 100_000, 1_200_000];

type Facts = Note['facts'];

const pairOf = ({ body }: Reply): Pair => body.data;
const factsOf = (reply: Reply): Facts => ({ ...pairOf(reply) });

/** Ends after the last step. Throws if the service is gone and gives no answer. */
export async function live(url: string, log: Acknowledgements, turn: number, isOver = () => false): Promise<void> {
  serial += 1;
  const phone = `+1202${2_000_000 + (serial % 7_000_000)}`;
  const take = async (
    step: Step,
    facts: Facts,
    act: () => Promise<Reply>,
    more: (reply: Reply) => Facts = () => ({}),
  ) => {
    if (isOver()) throw new Gone(step);
    log.add({ user: phone, step, outcome: 'asked', facts });
    const reply = await act();
    const isDone = reply.body.success;
    log.add({
      user: phone,
      step,
      outcome: isDone ? 'done' : 'refused',
      facts: { ...facts, ...(isDone ? more(reply) : {}) },
    });
    // Only a 503 can be explained by a fault. Any other refusal is an error of the service.
    assert.ok(isDone || reply.status === 503, `${step}: ${reply.status} ${reply.body.codeError}`);
    if (!isDone) throw new Gone(`${step}: ${reply.status} ${reply.body.codeError}`);
    return reply;
  };
  const renew = async (pair: Pair) =>
    pairOf(await take('refresh', { old: pair.RT }, () => refresh(url, pair.RT), factsOf));
  const store = (size: number, pair: Pair) => {
    serial += 1;
    const facts = { key: `key-${serial}`, size: String(size), sha256: digest(wavFile(size)) };
    return take(
      'upload',
      facts,
      () => uploadSound(url, pair.JWT, facts.key, size),
      ({ body }) => ({ id: body.data.id }),
    );
  };

  await take('send code', {}, () => sendOtp(url, phone));
  const code = codeIn(await letter(url, phone));
  let pair = pairOf(await take('sign in', { code }, () => logIn(url, phone, code), factsOf));
  const chapters = [
    async () => {
      for (let count = 0; count < 3; count++) pair = await renew(pair);
    },
    async () => {
      const id: string = (await store(30_000 + randomInt(500) * 2, pair)).body.data.id;
      await store((sizes[serial % sizes.length] ?? 0) + randomInt(500) * 2, pair);
      await take('delete', { id }, () => call(url, 'DELETE', `/api/file/${id}`, { token: pair.JWT }));
    },
    async () => {
      const email = `p${serial}.${phone.slice(1)}@example.com`;
      await take('send code', { email }, () => sendBinding(url, pair.JWT, email));
      const proof = codeIn(await letter(url, email));
      await take('bind', { email, code: proof }, () => bind(url, pair.JWT, email, proof));
      await take('send link', { email }, () => sendLink(url, email));
      const token = linkTokenIn(await letter(url, email, /#[\w-]{43}$/m));
      const redeemed = await take('redeem', { token }, () => redeem(url, token), factsOf);
      const second = pairOf(redeemed);
      await take('sign out', { ...second }, () => call(url, 'POST', '/api/auth/logout', { token: second.JWT }));
    },
  ];
  // In any order, so that a fault soon after the start hits each chapter equally often.
  for (const chapter of [...chapters.slice(turn), ...chapters.slice(0, turn)]) await chapter();
}

/** Waits for the message of that kind. A service killed while sending needs its lease of 20 s to send again. */
async function letter(url: string, to: string, kind = /./): Promise<Message> {
  for (let round = 0; round < 1500; round++) {
    const { body } = await call(url, 'GET', `/api/inbox?to=${encodeURIComponent(to)}`);
    if (!body.success) throw new Gone('inbox');
    const found = (body.data.messages as Message[]).find(({ text }) => kind.test(text));
    if (found !== undefined) return found;
    await sleep(20);
  }
  return assert.fail(`no message to ${to}`);
}

/** The service answered with 503, which counts as gone, or the time is over. */
class Gone extends Error {}

export function uploadSound(url: string, token: string, key: string, size: number): Promise<Reply> {
  return upload(url, { token, key, purpose: 'audio', type: 'audio/wav', bytes: wavFile(size) });
}

export function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Whether an error only says that there was no answer. fetch throws a TypeError then, and if an answer breaks off. */
export function isAbsence(error: unknown): boolean {
  return error instanceof Gone || error instanceof TypeError;
}

/** Runs that many users at once, one life after the other, until the service is gone for all of them or the time is over. */
export async function crowd(url: string, log: Acknowledgements, users: number, isOver: () => boolean): Promise<void> {
  const surprises: unknown[] = [];
  const one = async () => {
    try {
      for (;;) await live(url, log, randomInt(3), isOver);
    } catch (error) {
      if (!isAbsence(error)) surprises.push(error);
    }
  };
  await Promise.all(Array.from({ length: users }, one));
  if (surprises.length > 0) throw surprises[0];
}
