// Sends every secret to every endpoint that takes one: each works only where it belongs, and only in the service that issued it.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { solveCaptcha } from '../../src/commands/developer/solve-captcha.ts';
import {
  askForCode,
  askForLink,
  bindAddress,
  codeIn,
  enter,
  type Message,
  messageAfter,
  messagesTo,
  newAddress,
  outcomeOf,
  sendBinding,
} from '../helpers/people/users.ts';
import { call, newPhone, type Reply } from '../helpers/requests/api.ts';
import { type Stage, setStage } from '../helpers/services/stage.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const kinds = [
  'access token',
  'refresh token',
  'link token',
  'phone code',
  'binding code',
  'proof code',
  'captcha solution',
  // Last: where they work, they end sessions that the others need.
  'change code',
  'notice token',
] as const;

type Kind = (typeof kinds)[number];

/** One user with one valid secret of each kind. */
type UserRecord = {
  phone: string;
  next: string;
  fresh: string;
  secrets: Record<Kind, string>;
  pass: string;
  passRefresh: string;
};

const settings = { LIMIT_ATTEMPTS_PER_RECIPIENT: 'off', OTP_ATTEMPTS: '100', NOTICES: 'mail' };

function noticeTo(url: string, address: string, subject: string): Promise<Message> {
  return waitUntil(subject, async () => (await messagesTo(url, address)).find((each) => each.subject === subject));
}

async function prepare({ url }: Stage): Promise<UserRecord> {
  const [address, fresh, next] = [newAddress(), newAddress(), newPhone()];
  const { JWT: pass, RT: passRefresh, phone } = await enter(url);
  await bindAddress(url, pass, address);
  const notice = await noticeTo(url, address, 'This e-mail address was added to your Gatehouse account');
  const { JWT, RT } = await enter(url, phone);
  await noticeTo(url, address, 'New sign-in to Gatehouse');
  const secrets = {
    'access token': JWT,
    'refresh token': RT,
    'link token': await askForLink(url, address),
    'notice token': /#([\w-]{32})$/m.exec(notice.text)?.[1] ?? assert.fail(notice.text),
    'phone code': await askForCode(url, phone),
    'binding code': codeIn(await messageAfter(url, fresh, () => sendBinding(url, pass, fresh))),
    'proof code': codeIn(await messageAfter(url, phone, () => sendProof(url, pass))),
    'change code': codeIn(await messageAfter(url, next, () => sendChange(url, pass, next))),
    'captcha solution': '',
  };
  return { phone, next, fresh, secrets, pass, passRefresh };
}

function sendProof(url: string, token: string): Promise<Reply> {
  return call(url, 'POST', '/api/auth/proof/send', { body: { via: 'phone' }, token, captcha: 'any' });
}

function sendChange(url: string, token: string, recipient: string): Promise<Reply> {
  return call(url, 'POST', '/api/auth/phone/change/send', { body: { recipient }, token, captcha: 'any' });
}

/** From here on the service no longer accepts any text as a captcha. */
async function solveCaptchaFor(stage: Stage, user: UserRecord): Promise<void> {
  await stage.restart({ CAPTCHA_URL: 'altcha:' });
  const { body } = await call(stage.url, 'GET', '/api/auth/captcha/challenge');
  user.secrets['captcha solution'] = await solveCaptcha(body.data);
}

describe('secrets', () => {
  const [stage, foreign] = [setStage('sqlite', settings), setStage('sqlite', settings)];
  let user: UserRecord;
  let neighbour: UserRecord;
  let stranger: UserRecord;
  const post = (path: string, body: unknown) => call(stage.url, 'POST', path, { body });

  const prove = (otp: string) => {
    const headers = { RT: user.passRefresh };
    return call(stage.url, 'POST', '/api/auth/proof', { body: { otp }, token: user.pass, headers });
  };

  const change = (phone: string, otp: string) =>
    call(stage.url, 'PUT', '/api/auth/phone/change', { body: { phone, otp }, token: user.pass });

  /** Every endpoint that takes a secret, by the kind that belongs there. */
  const places: Record<Kind, ((secret: string) => Promise<Reply>)[]> = {
    'access token': [
      (secret) => call(stage.url, 'GET', '/api/auth/me', { token: secret }),
      (secret) => call(stage.url, 'GET', '/api/auth/me', { headers: { cookie: `JWT=${secret}` } }),
      (secret) => call(stage.url, 'GET', '/api/auth/sessions', { token: secret }),
    ],
    'refresh token': [
      (secret) => call(stage.url, 'POST', '/api/auth/refresh-token', { headers: { RT: secret } }),
      (secret) => call(stage.url, 'POST', '/api/auth/refresh-token', { headers: { cookie: `RT=${secret}` } }),
    ],
    'link token': [
      (secret) => post('/api/auth/email/link/check', { token: secret.slice(0, 256) }),
      (secret) => post('/api/auth/email/login', { token: secret.slice(0, 256) }),
    ],
    'notice token': [(secret) => post('/api/auth/not-me', { token: secret.slice(0, 256) })],
    'phone code': [(secret) => post('/api/auth/phone/login', { phone: user.phone, otp: secret.slice(0, 32) })],
    'binding code': [
      (secret) => {
        const body = { email: user.fresh, otp: secret.slice(0, 32) };
        return call(stage.url, 'PUT', '/api/auth/email/add', { body, token: user.pass });
      },
    ],
    'proof code': [(secret) => prove(secret.slice(0, 32))],
    'change code': [(secret) => change(user.next, secret.slice(0, 32))],
    'captcha solution': [
      (secret) =>
        call(stage.url, 'POST', '/api/auth/phone/send/otp', { body: { recipient: newPhone() }, captcha: secret }),
    ],
  };

  before(async () => {
    user = await prepare(stage);
    neighbour = await prepare(stage);
    stranger = await prepare(foreign);
    await Promise.all([solveCaptchaFor(stage, user), solveCaptchaFor(foreign, stranger)]);
  });

  for (const place of kinds) {
    for (const secret of kinds.filter((kind) => kind !== place)) {
      it(`a secret of the kind ${secret} does not work as ${place}`, async () => {
        for (const use of places[place]) await expectRefused(use, user.secrets[secret]);
      });
    }

    it(`a secret of the kind ${place} of another service does not work`, async () => {
      for (const use of places[place]) await expectRefused(use, stranger.secrets[place]);
    });
  }

  it('a secret of one user does not work for another user of the same service', async () => {
    const { phone, next, fresh, secrets } = neighbour;
    const wrong = [
      await post('/api/auth/phone/login', { phone: user.phone, otp: secrets['phone code'] }),
      await post('/api/auth/phone/login', { phone, otp: user.secrets['phone code'] }),
      await call(stage.url, 'PUT', '/api/auth/email/add', {
        body: { email: fresh, otp: secrets['binding code'] },
        token: user.pass,
      }),
      await prove(secrets['proof code']),
      await change(next, secrets['change code']),
    ];
    for (const reply of wrong) assert.equal(outcomeOf(reply), '400 OTP_INVALID');
  });

  for (const kind of kinds) {
    it(`a secret of the kind ${kind} works where it belongs`, async () => {
      const [use] = places[kind];
      assert.equal(outcomeOf((await use?.(user.secrets[kind])) as Reply), '200');
    });
  }

  async function expectRefused(use: (secret: string) => Promise<Reply>, secret: string): Promise<void> {
    const { status, body } = await use(secret);
    assert.ok(status >= 400 && status < 500, `${status}`);
    assert.notEqual(body.codeError, null);
  }
});
