// Races of several clients on two nodes with one winner, and the counts in the store that prove it.
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { codeIn, linkTokenIn, type Message, outcomeOf } from '../../helpers/people/users.ts';
import type { Pair } from '../../helpers/requests/api.ts';
import { ask, type LeanReply } from '../../helpers/requests/lean-client.ts';
import { wavFile } from '../../helpers/uploads/sample-files.ts';

type Field = {
  readonly urls: readonly [string, string];
  /** An unused captcha token. */
  readonly captcha: () => string;
};

type RaceKind = {
  /** Prepares users. Every call of the returned function is one race, and throws unless exactly one has won. */
  open(field: Field): Promise<() => Promise<void>>;
  /** Queries of counts that every race raises by one. */
  readonly traces: readonly string[];
};

const contenders = 4;
const events = (...kinds: readonly string[]) =>
  `select count(*) as n from audit_events where kind in (${kinds.map((kind) => `'${kind}'`).join()})`;

/** All at once, alternating between both nodes from a random first one. A request refused with 503 is repeated and has not lost yet. */
async function race(field: Field, act: (url: string, index: number) => Promise<LeanReply>, count = contenders) {
  const first = randomInt(2);
  const replies = await Promise.all(
    Array.from({ length: count }, (_, index) => patiently(() => act(field.urls[(first + index) % 2] ?? '', index))),
  );
  return { replies, answers: replies.map(outcomeOf).sort() };
}

function oneOf(answers: readonly string[], won: string, lost: string): void {
  assert.deepEqual(answers, [won, ...answers.slice(1).fill(lost)]);
}

const anyNode = ({ urls }: Field) => urls[randomInt(2)] ?? '';

let serial = randomInt(1_000_000);
const newPhone = () => `+1202${2_000_000 + (++serial % 7_000_000)}`;
const newAddress = () => `racer${++serial}@example.com`;

const send = ({ captcha }: Field, url: string, recipient: string, kind: 'phone' | 'link' | 'bind', token = captcha()) =>
  ask(url, 'POST', paths[kind], { body: { recipient }, headers: { 'captcha-token': token } });

const logIn = (url: string, phone: string, otp: string) =>
  ask(url, 'POST', '/api/auth/phone/login', { body: { phone, otp } });

const refresh = (url: string, RT: string) => ask(url, 'POST', '/api/auth/refresh-token', { headers: { RT } });

const redeem = (url: string, token: string) => ask(url, 'POST', '/api/auth/email/login', { body: { token } });

const bind = (url: string, token: string, email: string, otp: string) =>
  ask(url, 'PUT', '/api/auth/email/add', { body: { email, otp }, token });

const sound = wavFile(2000);

const uploadSound = (url: string, { JWT: token }: Pair, key = `key-${++serial}`) => {
  const headers = { 'content-type': 'audio/wav', 'idempotency-key': key };
  return ask(url, 'POST', '/api/file/upload?purpose=audio', { headers, token, body: sound });
};

const paths = {
  phone: '/api/auth/phone/send/otp',
  link: '/api/auth/email/send/login-link',
  bind: '/api/auth/email/send/otp',
} as const;

/** Waits for the newest message after the known one. */
async function letter(field: Field, to: string, after = ''): Promise<Message> {
  const path = `/api/inbox?to=${encodeURIComponent(to)}&wait=30&after=${after}`;
  const [message] = (await ask(anyNode(field), 'GET', path)).body.data.messages as Message[];
  assert.ok(message, `no message to ${to}`);
  return message;
}

/** Repeats the call while the machine is too busy for the store to answer in time. */
async function patiently(act: () => Promise<LeanReply>): Promise<LeanReply> {
  for (let round = 0; ; round++) {
    const reply = await act();
    if (reply.status !== 503 || round === 20) return reply;
  }
}

/** A step before or after the race, which must succeed. */
async function surely(act: () => Promise<LeanReply>, wanted = '200'): Promise<LeanReply> {
  const reply = await patiently(act);
  assert.equal(outcomeOf(reply), wanted);
  return reply;
}

async function askForCode(field: Field, phone: string): Promise<string> {
  await surely(() => send(field, anyNode(field), phone, 'phone'));
  return codeIn(await letter(field, phone));
}

async function enter(field: Field): Promise<Pair> {
  const phone = newPhone();
  const code = await askForCode(field, phone);
  return (await surely(() => logIn(anyNode(field), phone, code))).body.data;
}

/** A code for the bearer to bind the e-mail address, and the id of its message, which excludes it from later searches. */
async function askToBind(field: Field, token: string, recipient: string, after = '') {
  await surely(() =>
    ask(anyNode(field), 'POST', paths.bind, {
      body: { recipient },
      token,
      headers: { 'captcha-token': field.captcha() },
    }),
  );
  const message = await letter(field, recipient, after);
  return { code: codeIn(message), id: message.id };
}

async function remove(field: Field, { JWT }: Pair, id: string): Promise<void> {
  await surely(() => ask(anyNode(field), 'DELETE', `/api/file/${id}`, { token: JWT }));
}

export const raceKinds: Readonly<Record<string, RaceKind>> = {
  'one of several requests with one code signs in and creates one user': {
    open: async (field) => async () => {
      const phone = newPhone();
      const code = await askForCode(field, phone);
      oneOf((await race(field, (url) => logIn(url, phone, code))).answers, '200', '400 OTP_INVALID');
    },
    traces: [events('login.succeeded'), events('user.created')],
  },
  'several requests with one refresh token get one successor': {
    open: async (field) => {
      let { RT } = await enter(field);
      return async () => {
        const { replies, answers } = await race(field, (url) => refresh(url, RT));
        oneOf(answers, '200', '200');
        const successors = new Set<string>(replies.map(({ body }) => body.data.RT));
        assert.equal(successors.size, 1);
        [RT = ''] = successors;
      };
    },
    traces: ['select sum(counter) as n from sessions'],
  },
  'one of several requests with one sign-in link signs in': {
    open: async (field) => {
      const { JWT } = await enter(field);
      const address = newAddress();
      let { code, id } = await askToBind(field, JWT, address);
      await surely(() => bind(anyNode(field), JWT, address, code));
      return async () => {
        await surely(() => send(field, anyNode(field), address, 'link'));
        const message = await letter(field, address, id);
        ({ id } = message);
        const token = linkTokenIn(message);
        oneOf((await race(field, (url) => redeem(url, token))).answers, '200', '400 LINK_INVALID');
      };
    },
    traces: [events('login.succeeded')],
  },
  'one of two users who bind one e-mail address gets it': {
    open: async (field) => {
      const [one, other] = [await enter(field), await enter(field)];
      return async () => {
        const address = newAddress();
        const first = await askToBind(field, one.JWT, address);
        const second = await askToBind(field, other.JWT, address, first.id);
        const proofs = [
          { token: one.JWT, code: first.code },
          { token: other.JWT, code: second.code },
        ];
        const act = (url: string, index: number) => {
          const { token = '', code = '' } = proofs[index] ?? {};
          return bind(url, token, address, code);
        };
        oneOf((await race(field, act, 2)).answers, '200', '409 EMAIL_TAKEN');
      };
    },
    traces: [events('email.bound')],
  },
  'one captcha solution works for one request': {
    open: async (field) => async () => {
      const token = field.captcha();
      const act = (url: string, index: number) =>
        index < 2 ? send(field, url, newPhone(), 'phone', token) : send(field, url, newAddress(), 'link', token);
      oneOf((await race(field, act)).answers, '200', '403 CAPTCHA_INVALID');
    },
    traces: [events('otp.requested', 'link.requested')],
  },
  'one of several uploads gets the last space of a quota': {
    open: async (field) => {
      const user = await enter(field);
      for (let count = 1; count < fileCount; count++) await surely(() => uploadSound(anyNode(field), user), '201');
      return async () => {
        const { replies, answers } = await race(field, (url) => uploadSound(url, user));
        oneOf(answers, '201', '403 FILE_QUOTA_EXCEEDED');
        await remove(field, user, replies.find(({ status }) => status === 201)?.body.data.id);
      };
    },
    traces: [events('file.stored'), events('file.deleted')],
  },
  'several uploads with one Idempotency-Key make one file': {
    open: async (field) => {
      const user = await enter(field);
      return async () => {
        const key = `key-of-all-${++serial}`;
        const { replies, answers } = await race(field, (url) => uploadSound(url, user, key));
        assert.deepEqual(new Set(answers).difference(new Set(['201', '409 UPLOAD_IN_PROGRESS'])), new Set());
        const ids = new Set<string>(replies.filter(({ status }) => status === 201).map(({ body }) => body.data.id));
        assert.equal(ids.size, 1);
        for (const id of ids) await remove(field, user, id);
      };
    },
    traces: [events('file.stored'), events('file.deleted')],
  },
  'several deletions of one file delete it once': {
    open: async (field) => {
      const user = await enter(field);
      return async () => {
        const { id } = (await surely(() => uploadSound(anyNode(field), user), '201')).body.data;
        const act = (url: string) => ask(url, 'DELETE', `/api/file/${id}`, { token: user.JWT });
        oneOf((await race(field, act)).answers, '200', '404 FILE_NOT_FOUND');
      };
    },
    traces: [events('file.stored'), events('file.deleted')],
  },
};

/** FILE_COUNT of the nodes. */
export const fileCount = 3;
