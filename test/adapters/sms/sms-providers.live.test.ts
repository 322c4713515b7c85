// Tests the SMS senders against a local server that answers as the providers do, when they work and when they fail.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { after, before, beforeEach, describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { get } from '../../../src/adapters/sms/get.ts';
import { createTwilioSender } from '../../../src/adapters/sms/twilio.ts';
import { createVonageSender } from '../../../src/adapters/sms/vonage.ts';
import { createWebhookSender } from '../../../src/adapters/sms/webhook.ts';
import { type ProviderUrl, parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../../src/messages/delivery/sender.ts';

type Taken = { method: string; path: string; headers: IncomingHttpHeaders; body: string };
type Script = (response: ServerResponse, socket: Socket) => void;

const message: OutgoingMessage = {
  id: '019a0000-0000-7000-8000-000000000001',
  to: '+15550100001',
  text: 'Gatehouse: 123456 is your code.\n\n@example.com #123456',
  createdAt: 1_700_000_000_000,
};

const taken: Taken[] = [];
let script: Script;
let server: Server;
let host: string;

const onRequest: RequestListener = async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { method = '', url: path = '', headers } = request;
  taken.push({ method, path, headers, body: Buffer.concat(chunks).toString() });
  script(response, request.socket);
};

before(async () => {
  server = createServer(onRequest);
  host = await listen(server);
});

beforeEach(() => {
  taken.length = 0;
});

after(() => server.close());

async function listen(listener: Server): Promise<string> {
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return `127.0.0.1:${(listener.address() as AddressInfo).port}`;
}

function urlOf(text: string): ProviderUrl {
  const url = parseProviderUrl(text, 'host');
  assert.ok(url);
  return url;
}

function answer(status: number, body: unknown, type = 'application/json'): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': type, location: '/elsewhere' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

async function sendTo(sender: Sender | Promise<Sender>, next: Script, milliseconds = 9000): Promise<SendOutcome> {
  script = next;
  return (await sender).send(message, AbortSignal.timeout(milliseconds));
}

function onlyTaken(): Taken {
  assert.equal(taken.length, 1);
  const [first] = taken;
  assert.ok(first);
  return first;
}

function headerOf(request: Taken, name: string): string {
  return String(request.headers[name] ?? '');
}

const html = '<!doctype html><title>Bad gateway</title>';

/** The outcomes that every sender over HTTP must report for a failing connection. */
function testConnectionFailures(
  sender: string,
  create: (host: string, tls: boolean) => Sender | Promise<Sender>,
  statusOfSuccess: number,
): void {
  it(`${sender} reports a refusal if nothing listens`, async () => {
    const nobody = createTcpServer();
    const place = await listen(nobody);
    nobody.close();
    assert.deepEqual(await sendTo(create(place, false), answer(500, '')), {
      kind: 'refused',
      error: 'connection refused',
    });
  });

  it(`${sender} reports a refusal if the host name does not resolve`, async () => {
    const outcome = await sendTo(create('no-such-host.invalid', false), answer(500, ''));
    assert.equal(outcome.kind, 'refused');
    assert.deepEqual(taken, []);
  });

  it(`${sender} reports a refusal on a time-out before the connection is established`, async () => {
    const sockets: Socket[] = [];
    const mute = createTcpServer((socket) => sockets.push(socket));
    const outcome = await sendTo(create(await listen(mute), true), answer(500, ''), 100);
    assert.deepEqual(outcome, { kind: 'refused', error: 'time-out' });
    for (const socket of sockets) socket.destroy();
    mute.close();
  });

  it(`${sender} reports a doubtful outcome on a time-out after the request was sent`, async () => {
    const timer = new AbortController();
    script = () => timer.abort();
    const outcome = await (await create(host, false)).send(message, timer.signal);
    assert.deepEqual(outcome, { kind: 'doubtful', error: 'time-out' });
    assert.equal(taken.length, 1);
  });

  it(`${sender} reports a doubtful outcome if the connection is lost after the request was sent`, async () => {
    const closed = await sendTo(create(host, false), (_response, socket) => socket.destroy());
    assert.deepEqual(closed, { kind: 'doubtful', error: 'connection lost' });
    const reset = await sendTo(create(host, false), (_response, socket) => socket.resetAndDestroy());
    assert.deepEqual(reset, { kind: 'doubtful', error: 'connection lost' });
  });

  it(`${sender} follows no redirect`, async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      taken.length = 0;
      const outcome = await sendTo(create(host, false), answer(status, ''));
      assert.deepEqual(outcome, { kind: 'refused', error: `HTTP ${status}` });
      assert.equal(taken.length, 1);
    }
  });

  it(`${sender} reports a refusal if the provider is overloaded or broken`, async () => {
    for (const status of [429, 500, 502, 503, 504]) {
      const outcome = await sendTo(create(host, false), answer(status, html, 'text/html'));
      const wait = status === 429 ? { waitMilliseconds: 1000 } : {};
      assert.deepEqual(outcome, { kind: 'refused', error: `HTTP ${status}`, ...wait });
    }
  });

  it(`${sender} does not read an endless answer to its end`, async () => {
    const flood: Script = (response) => {
      response.writeHead(statusOfSuccess, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write('x'.repeat(32 * 1024)), 1);
      response.on('close', () => clearInterval(timer));
    };
    script = flood;
    const signal = AbortSignal.timeout(9000);
    await (await create(host, false)).send(message, signal);
    assert.equal(signal.aborted, false);
  });
}

describe('the webhook sender', () => {
  const create = (place: string, tls = false, secret?: string) =>
    createWebhookSender(urlOf(`webhook+http${tls ? 's' : ''}://${place}/sms`), secret);

  testConnectionFailures('the webhook sender', create, 200);

  it('the webhook sender posts exactly four fields, with the id as idempotency key', async () => {
    const sender = createWebhookSender(urlOf(`webhook+http://${host}/hooks/sms?tenant=a%20b&mode=1`), undefined);
    assert.deepEqual(await sendTo(sender, answer(200, {})), { kind: 'accepted' });
    const request = onlyTaken();
    assert.equal(request.method, 'POST');
    assert.equal(request.path, '/hooks/sms?tenant=a%20b&mode=1');
    assert.equal(headerOf(request, 'content-type'), 'application/json');
    assert.equal(headerOf(request, 'idempotency-key'), message.id);
    assert.equal(headerOf(request, 'content-length'), String(Buffer.byteLength(request.body)));
    const { id, to, text } = message;
    assert.equal(request.body, JSON.stringify({ id, channel: 'sms', to, text }));
  });

  it('the webhook sender sends no signature without a key', async () => {
    await sendTo(create(host), answer(200, {}));
    assert.deepEqual(
      Object.keys(onlyTaken().headers).filter((name) => name.startsWith('webhook-')),
      [],
    );
  });

  const base64Key = `whsec_${Buffer.from('a key of some thirty-two bytes..').toString('base64')}`;
  const keys: { name: string; userinfo: string; secret?: string; verifier: () => Webhook }[] = [
    { name: 'a base64 key', userinfo: base64Key, verifier: () => new Webhook(base64Key) },
    { name: 'the key of the settings', userinfo: '', secret: base64Key, verifier: () => new Webhook(base64Key) },
    {
      name: 'the userinfo before the key of the settings',
      userinfo: base64Key,
      secret: 'other',
      verifier: () => new Webhook(base64Key),
    },
    { name: 'a key that is not base64', userinfo: 'pässword', verifier: () => rawWebhook('pässword') },
    { name: 'base64 without its prefix, as plain bytes', userinfo: 'c2VjcmV0', verifier: () => rawWebhook('c2VjcmV0') },
    {
      name: 'a prefix with anything but base64, as plain bytes',
      userinfo: 'whsec_*not*',
      verifier: () => rawWebhook('whsec_*not*'),
    },
    { name: 'a key with a colon', userinfo: 'left:right', verifier: () => rawWebhook('left:right') },
  ];
  for (const { name, userinfo, secret, verifier } of keys) {
    it(`the webhook sender signs with ${name}`, async () => {
      const user = userinfo === '' ? '' : `${userinfo.split(':').map(encodeURIComponent).join(':')}@`;
      const sender = createWebhookSender(urlOf(`webhook+http://${user}${host}/sms`), secret);
      assert.deepEqual(await sendTo(sender, answer(204, '')), { kind: 'accepted' });
      const request = onlyTaken();
      assert.equal(headerOf(request, 'webhook-id'), message.id);
      assert.equal(headerOf(request, 'authorization'), '');
      const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const headers = Object.fromEntries(names.map((header) => [header, headerOf(request, header)]));
      assert.deepEqual(verifier().verify(request.body, headers), JSON.parse(request.body));
      assert.throws(() => verifier().verify(`${request.body} `, headers));
    });
  }

  it('the webhook sender reports any 2xx as accepted, whatever the body', async () => {
    for (const status of [200, 201, 202, 204]) {
      const body = status === 204 ? '' : html;
      assert.deepEqual(await sendTo(create(host), answer(status, body, 'text/html')), { kind: 'accepted' });
    }
  });

  it('the webhook sender reports a 2xx as accepted even when its body is cut off', async () => {
    const breakOff: Script = (response, socket) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('half', () => socket.destroy());
    };
    assert.deepEqual(await sendTo(create(host), breakOff), { kind: 'accepted' });
  });

  it('the webhook sender distinguishes an unwanted message from an endpoint that is not ready', async () => {
    for (const status of [400, 404, 410, 422]) {
      assert.deepEqual(await sendTo(create(host), answer(status, {})), { kind: 'hopeless', error: `HTTP ${status}` });
    }
    const ofRecipient = { kind: 'refused', error: 'HTTP 409', isOfRecipient: true };
    assert.deepEqual(await sendTo(create(host), answer(409, {})), ofRecipient);
    for (const status of [401, 403, 405, 408, 425]) {
      assert.deepEqual(await sendTo(create(host), answer(status, {})), { kind: 'refused', error: `HTTP ${status}` });
    }
  });
});

describe('the Twilio sender', () => {
  const create = (place: string, tls = false) =>
    createTwilioSender(urlOf(`twilio://AC123:to%3Aken@${place}?from=%2B15550109999${tls ? '' : '&tls=0'}`));
  const refusal = (status: number, code: number) =>
    answer(status, { code, message: `The number ${message.to}`, status });

  testConnectionFailures('the Twilio sender', create, 201);

  it('the Twilio sender posts the form that the API expects', async () => {
    const body = { sid: 'SM1', status: 'queued', error_code: null };
    assert.deepEqual(await sendTo(create(host), answer(201, body)), { kind: 'accepted' });
    const request = onlyTaken();
    assert.equal(request.path, '/2010-04-01/Accounts/AC123/Messages.json');
    assert.equal(headerOf(request, 'content-type'), 'application/x-www-form-urlencoded');
    assert.equal(headerOf(request, 'authorization'), `Basic ${Buffer.from('AC123:to:ken').toString('base64')}`);
    const form = Object.fromEntries(new URLSearchParams(request.body));
    assert.deepEqual(form, { To: message.to, From: '+15550109999', Body: message.text });
  });

  it('the Twilio sender names a messaging service if one is configured', async () => {
    const sender = createTwilioSender(urlOf(`twilio://AC123:token@${host}?from=MG42&tls=0`));
    await sendTo(sender, answer(201, { sid: 'SM1', status: 'accepted' }));
    const form = Object.fromEntries(new URLSearchParams(onlyTaken().body));
    assert.deepEqual(form, { To: message.to, MessagingServiceSid: 'MG42', Body: message.text });
  });

  it('the Twilio sender reports a success without a message id as doubtful', async () => {
    const doubtful: Script[] = [
      answer(201, html, 'text/html'),
      answer(201, {}),
      answer(201, []),
      answer(201, 'null'),
      answer(201, { sid: 7, status: 'queued' }),
      answer(201, { sid: 'SM1', status: 'failed' }),
      answer(201, { sid: 'SM1', status: 'undelivered' }),
      answer(204, ''),
    ];
    for (const next of doubtful) assert.equal((await sendTo(create(host), next)).kind, 'doubtful');
    const outcome = await sendTo(create(host), answer(200, { sid: 'SM1', status: 'queued' }));
    assert.deepEqual(outcome, { kind: 'doubtful', error: 'HTTP 200 without a message' });
  });

  it('the Twilio sender reports a success with a cut-off body as doubtful', async () => {
    const breakOff: Script = (response, socket) => {
      response.writeHead(201, { 'content-length': '100' });
      response.write('{"sid":', () => socket.destroy());
    };
    assert.equal((await sendTo(create(host), breakOff)).kind, 'doubtful');
  });

  it('the Twilio sender reports a recipient that Twilio will never serve as hopeless', async () => {
    for (const code of [21211, 21614, 21408, 21610, 21612]) {
      assert.deepEqual(await sendTo(create(host), refusal(400, code)), { kind: 'hopeless', error: `error ${code}` });
    }
  });

  it('the Twilio sender reports problems of the account as refused', async () => {
    assert.deepEqual(await sendTo(create(host), refusal(401, 20003)), { kind: 'refused', error: 'error 20003' });
    assert.deepEqual(await sendTo(create(host), refusal(400, 21606)), { kind: 'refused', error: 'error 21606' });
    const busy = { kind: 'refused', error: 'HTTP 429', waitMilliseconds: 1000 };
    assert.deepEqual(await sendTo(create(host), refusal(429, 20429)), busy);
    assert.deepEqual(await sendTo(create(host), answer(400, html)), { kind: 'refused', error: 'HTTP 400' });
  });
});

describe('the Vonage sender', () => {
  const create = (place: string, tls = false) =>
    createVonageSender(urlOf(`vonage://key:sec%26ret@${place}?from=Gatehouse${tls ? '' : '&tls=0'}`));
  const verdict = (...statuses: unknown[]) => {
    const messages = statuses.map((status) => ({ to: '15550100001', status, 'error-text': `about ${message.to}` }));
    return answer(200, { 'message-count': String(statuses.length), messages });
  };

  testConnectionFailures('the Vonage sender', create, 200);

  it('the Vonage sender posts the form that the API expects', async () => {
    assert.deepEqual(await sendTo(create(host), verdict('0')), { kind: 'accepted' });
    const request = onlyTaken();
    assert.equal(request.path, '/sms/json');
    assert.equal(headerOf(request, 'content-type'), 'application/x-www-form-urlencoded');
    const account = { api_key: 'key', api_secret: 'sec&ret' };
    const form = Object.fromEntries(new URLSearchParams(request.body));
    assert.deepEqual(form, { ...account, to: '15550100001', from: 'Gatehouse', text: message.text });
  });

  it('the Vonage sender asks for Unicode only if the text needs it', async () => {
    const types: [text: string, type: string | null][] = [
      ['Ваш код 123456', 'unicode'],
      ['验证码 123456', 'unicode'],
      ['ç is not in the table', 'unicode'],
      ['Código: 123456', 'unicode'],
      ['Äöñ Ü ß é à @£$ {[€]}~|^\\', null],
    ];
    script = verdict('0');
    for (const [text, type] of types) {
      taken.length = 0;
      await create(host).send({ ...message, text }, AbortSignal.timeout(9000));
      const form = new URLSearchParams(onlyTaken().body);
      assert.equal(form.get('type'), type);
      assert.equal(form.get('text'), text);
    }
  });

  it('the Vonage sender reports a message as accepted when every part is', async () => {
    assert.deepEqual(await sendTo(create(host), verdict('0', '0')), { kind: 'accepted' });
  });

  it('the Vonage sender reports a partly sent message as doubtful', async () => {
    assert.deepEqual(await sendTo(create(host), verdict('0', '1')), { kind: 'doubtful', error: 'sent in part' });
  });

  it('the Vonage sender reports problems of the account or the network as refused', async () => {
    for (const status of ['1', '2', '4', '5', '8', '9']) {
      const wait = status === '1' ? { waitMilliseconds: 1000 } : {};
      assert.deepEqual(await sendTo(create(host), verdict(status)), {
        kind: 'refused',
        error: `status ${status}`,
        ...wait,
      });
    }
    assert.deepEqual(await sendTo(create(host), answer(401, {})), { kind: 'refused', error: 'HTTP 401' });
  });

  it('the Vonage sender reports a recipient that Vonage will never serve as hopeless', async () => {
    for (const status of ['3', '6', '7', '15', '29']) {
      assert.deepEqual(await sendTo(create(host), verdict(status)), { kind: 'hopeless', error: `status ${status}` });
    }
  });

  it('the Vonage sender reports an unreadable answer as doubtful', async () => {
    const doubtful: Script[] = [
      answer(200, html, 'text/html'),
      answer(200, {}),
      answer(200, { messages: [] }),
      answer(200, { messages: 'none' }),
      answer(200, { messages: [null] }),
      answer(200, 'null'),
      verdict('0', 'what'),
    ];
    for (const next of doubtful) {
      const outcome = await sendTo(create(host), next);
      assert.deepEqual(outcome, { kind: 'doubtful', error: 'HTTP 200 without a status' });
    }
  });
});

describe('a provider check', () => {
  it('a provider check stops reading an endless answer', async () => {
    script = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write('x'.repeat(32 * 1024)), 1);
      response.on('close', () => clearInterval(timer));
    };
    const signal = AbortSignal.timeout(5000);
    assert.deepEqual(await get(`http://${host}/`, {}, signal), { body: {} });
    assert.equal(signal.aborted, false);
  });

  it('a provider check fails when the answer breaks off', async () => {
    script = (response, socket) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"value":', () => socket.destroy());
    };
    assert.equal('cause' in (await get(`http://${host}/`, {}, AbortSignal.timeout(5000))), true);
  });
});

function rawWebhook(key: string): Webhook {
  return new Webhook(Buffer.from(key), { format: 'raw' });
}
