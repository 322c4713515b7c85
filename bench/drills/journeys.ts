// What people do: sign in with a code or a link, renew their session, store files and read them again.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { wavFile } from '../../test/helpers/uploads/sample-files.ts';
import { type Answer, type Device, openDevice, type Service } from './device.ts';
import type { Session } from './ledger.ts';
import type { Phones } from './phones.ts';

export type World = Service & {
  readonly phones: Phones;
  /** A solved captcha for each call. */
  readonly captcha: () => string;
  readonly nextPhone: () => string;
  /** The e-mail address of a user who has not signed in yet. */
  readonly nextAddress: () => string;
};

/** How long somebody tries to sign in before giving up. */
const patienceMilliseconds = 40_000;

type Way = {
  readonly channel: 'sms' | 'mail';
  readonly send: string;
  readonly enter: string;
  readonly proof: (recipient: string, content: string) => unknown;
};

const bySms: Way = {
  channel: 'sms',
  send: '/api/auth/phone/send/otp',
  enter: '/api/auth/phone/login',
  proof: (phone, otp) => ({ phone, otp }),
};

const byMail: Way = {
  channel: 'mail',
  send: '/api/auth/email/send/login-link',
  enter: '/api/auth/email/login',
  proof: (_, token) => ({ token }),
};

export function signInByCode(world: World): Promise<Session | undefined> {
  return signIn(world, bySms, world.nextPhone());
}

export function signInByLink(world: World): Promise<Session | undefined> {
  return signIn(world, byMail, world.nextAddress());
}

async function signIn(world: World, way: Way, recipient: string): Promise<Session | undefined> {
  const { ledger, phones } = world;
  const device = openDevice(world);
  const beganAt = performance.now();
  const until = beganAt + patienceMilliseconds;
  const goesOn = () => performance.now() < until;
  let spent: string | undefined;
  while (goesOn()) {
    const known = phones.to(recipient).length;
    const headers = { 'captcha-token': world.captcha() };
    const sent = await device.insist({ method: 'POST', path: way.send, headers, body: { recipient } }, goesOn);
    const isSent = sent?.status === 200;
    if (isSent) ledger.promises.push({ to: recipient, channel: way.channel, at: performance.now() });
    // An earlier request without an answer has sent a code: it is on its way, or already there.
    else if (sent?.code !== 'OTP_RESEND_TOO_SOON') break;
    const content = await phones.next(recipient, isSent ? known : 0, until);
    if (content === undefined) break;
    if (content === spent) {
      await sleep((sent.retryAfter + 0.1) * 1000);
      continue;
    }
    const call = { method: 'POST', path: way.enter, body: way.proof(recipient, content) };
    const entered = await device.insist(call, goesOn);
    if (entered?.status === 200) {
      const session = keep(world, device, entered);
      ledger.signIns.push({ channel: way.channel, beganAt, inAt: performance.now() });
      return session;
    }
    // The answer to the first attempt was lost, and the code is used up: ask for another one as soon as that is possible.
    spent = content;
  }
  ledger.signIns.push({ channel: way.channel, beganAt, inAt: undefined });
  return undefined;
}

function keep({ ledger }: World, { ip }: Device, { data, device = '' }: Answer): Session {
  const session = { RT: String(data.RT), JWT: String(data.JWT), device, ip, isEnded: false };
  ledger.sessions.push(session);
  return session;
}

/** Repeats with the same token until there is an answer. */
export async function renew(world: World, session: Session, goesOn: () => boolean): Promise<void> {
  const headers = { RT: session.RT, ...(session.device !== '' && { 'device-token': session.device }) };
  const call = { method: 'POST', path: '/api/auth/refresh-token', headers };
  const answer = await openDevice(world, session.ip).insist(call, goesOn);
  if (answer?.status === 200) Object.assign(session, { RT: answer.data.RT, JWT: answer.data.JWT });
  if (answer?.status === 401) {
    session.isEnded = true;
    world.ledger.signOuts.push({ at: performance.now(), code: String(answer.code) });
  }
}

export async function storeFile(world: World, session: Session, goesOn: () => boolean): Promise<void> {
  const body = wavFile(8000 + randomBytes(1).readUInt8() * 2);
  const headers = {
    authorization: `Bearer ${session.JWT}`,
    'content-type': 'audio/wav',
    'idempotency-key': randomBytes(12).toString('hex'),
  };
  const call = { method: 'POST', path: '/api/file/upload?purpose=audio', headers, body };
  const answer = await openDevice(world, session.ip).insist(call, goesOn);
  if (answer?.status !== 201) return;
  const sha256 = digest(body);
  world.ledger.files.push({ id: String(answer.data.id), sha256, session });
}

/** Whether the file is there with the bytes that were stored, or what is there instead. */
export async function readFile(
  world: World,
  { id, sha256, session }: World['ledger']['files'][number],
  goesOn: () => boolean,
): Promise<string> {
  const headers = { authorization: `Bearer ${session.JWT}` };
  const answer = await openDevice(world, session.ip).insist({ method: 'GET', path: `/file/${id}`, headers }, goesOn);
  if (answer?.status !== 200) return answer === undefined ? 'no answer' : `${answer.status} ${answer.code}`;
  return digest(answer.bytes) === sha256 ? 'as stored' : 'other bytes';
}

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
