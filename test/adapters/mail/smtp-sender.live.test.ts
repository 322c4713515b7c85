// Tests the SMTP sender against real SMTP servers that fail at every command of the protocol.
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { setDefaultCACertificates } from 'node:tls';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { mostConnections, type SmtpWaits } from '../../../src/adapters/mail/smtp-pool.ts';
import { createSmtpSender } from '../../../src/adapters/mail/smtp-sender.ts';
import { parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';
import type { OutgoingMessage, Sender, SendOutcome } from '../../../src/messages/delivery/sender.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

type Arrived = { from: string; to: string[]; raw: Buffer };
type Post = { host: string; arrived: Arrived[]; drop: () => void };

const patient: SmtpWaits = { connectionMilliseconds: 9000, greetingMilliseconds: 9000, socketMilliseconds: 9000 };
/** No wait of a test ends by itself. */
const hour: SmtpWaits = {
  connectionMilliseconds: 3_600_000,
  greetingMilliseconds: 3_600_000,
  socketMilliseconds: 3_600_000,
};
const from = 'Gate, House <no-reply@example.com>';

const message: OutgoingMessage = {
  id: '019a0000-0000-7000-8000-000000000001',
  to: 'Ann.Smith+tag@example.org',
  subject: 'Вход: your sign-in link',
  text: 'Open\n\nhttps://example.com/login/link#abc=\n.\nÜbung\n',
  html: '<p>Open <a href="https://example.com/login/link#abc=">the link</a> Übung</p>',
  createdAt: Date.parse('2026-01-02T03:04:05Z'),
};

const cleanUps: (() => void)[] = [];

afterEach(() => {
  for (const cleanUp of cleanUps.splice(0).reverse()) cleanUp();
});

/** A server that accepts everything except what the options refuse. */
async function startPost(options: SMTPServerOptions = {}): Promise<Post> {
  const arrived: Arrived[] = [];
  const usual: SMTPServerOptions = {
    logger: false,
    authOptional: true,
    hideSTARTTLS: true,
    disableReverseLookup: true,
    closeTimeout: 1,
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const sender = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        arrived.push({ from: sender, to: envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks) });
        done();
      });
    },
  };
  const server = new SMTPServer({ ...usual, ...options });
  server.on('error', () => undefined);
  const drop = watchSockets(server.server);
  cleanUps.push(() => server.close());
  return { host: await listen(server.server), arrived, drop };
}

/** Sends one line as greeting and one for each command. Undefined closes the connection, '' sends nothing. */
async function startScripted(lines: Readonly<Record<string, string | undefined>>): Promise<string> {
  const server = createServer((socket) => {
    const say = (name: string, usual: string) => {
      const line = name in lines ? lines[name] : usual;
      if (line === undefined) socket.destroy();
      else if (line !== '') socket.write(`${line}\r\n`);
    };
    let isBody = false;
    const take = (line: string) => {
      if (isBody && line !== '.') return;
      const verb = isBody ? '.' : (line.split(/[ :]/)[0] ?? '').toUpperCase();
      isBody = verb === 'DATA' && (lines.DATA ?? '354').startsWith('3');
      say(verb, verb === 'DATA' ? '354 go on' : '250 fine');
    };
    let rest = '';
    socket.on('error', () => undefined);
    socket.on('data', (chunk) => {
      const parts = (rest + chunk.toString()).split('\r\n');
      rest = parts.pop() ?? '';
      parts.forEach(take);
    });
    say('greeting', '220 scripted');
  });
  const drop = watchSockets(server);
  cleanUps.push(() => server.close(), drop);
  return listen(server);
}

function watchSockets(server: Server): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  return () => {
    for (const socket of sockets) socket.destroy();
  };
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function senderFor(text: string, waits: Partial<SmtpWaits> = {}): Sender {
  const url = parseProviderUrl(text, 'host');
  assert.ok(url);
  const sender = createSmtpSender(url, from, 'gatehouse.example.com', { ...patient, ...waits });
  cleanUps.push(() => void sender.close?.());
  return sender;
}

function sendTo(sender: Sender, signal = AbortSignal.timeout(9000)): Promise<SendOutcome> {
  return sender.send(message, signal);
}

function sayNo(code: number): Error {
  return Object.assign(new Error(`no mail for ${message.to}`), { responseCode: code });
}

function onlyArrived({ arrived }: Post): Arrived {
  assert.equal(arrived.length, 1);
  const [first] = arrived;
  assert.ok(first);
  return first;
}

function headersOf(raw: Buffer): string {
  return raw
    .toString()
    .split('\r\n\r\n', 1)
    .join('')
    .replace(/\r\n[ \t]+/g, ' ');
}

describe('an accepted mail', () => {
  it('an accepted mail arrives with its envelope, headers, text and HTML', async () => {
    const post = await startPost();
    assert.deepEqual(await sendTo(senderFor(`smtp://${post.host}`)), { kind: 'accepted' });
    const { raw, ...envelope } = onlyArrived(post);
    assert.deepEqual(envelope, { from: 'no-reply@example.com', to: [message.to] });
    const mail = await PostalMime.parse(raw);
    assert.deepEqual(mail.from, { name: 'Gate, House', address: 'no-reply@example.com' });
    assert.deepEqual(mail.to, [{ name: '', address: message.to }]);
    assert.equal(mail.subject, message.subject);
    assert.equal(mail.text?.trimEnd(), message.text.trimEnd());
    assert.equal(mail.html?.trimEnd(), message.html);
    assert.equal(mail.date, '2026-01-02T03:04:05.000Z');
    assert.equal(mail.messageId, `<${message.id}@gatehouse.example.com>`);
    assert.deepEqual(mail.attachments, []);
    const headers = new Map(mail.headers.map(({ key, value }) => [key, value]));
    assert.equal(headers.get('auto-submitted'), 'auto-generated');
    assert.equal(headers.get('x-auto-response-suppress'), 'All');
    assert.equal(headers.has('x-mailer'), false);
  });

  it('a mail keeps its Message-ID when it is sent again', async () => {
    const post = await startPost();
    const sender = senderFor(`smtp://${post.host}`);
    await sendTo(sender);
    await sendTo(sender);
    const ids = await Promise.all(post.arrived.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId));
    assert.equal(ids.length, 2);
    assert.deepEqual([...new Set(ids)], [`<${message.id}@gatehouse.example.com>`]);
  });

  it('a mail has one recipient, whatever its e-mail address looks like', async () => {
    const post = await startPost();
    const sender = senderFor(`smtp://${post.host}`);
    for (const to of [
      'ann@example.org,eve@example.com',
      'Ann <eve@example.com>',
      'a@b.example\r\nRCPT TO:<eve@example.com>',
    ]) {
      await sender.send({ ...message, to }, AbortSignal.timeout(9000));
    }
    assert.deepEqual(
      post.arrived.flatMap(({ to }) => to).filter((to) => /^(eve|ann)@/.test(to)),
      [],
    );
    assert.ok(post.arrived.every(({ to }) => to.length === 1));
  });

  it('a mail loads no file and no URL that its text names', async () => {
    const post = await startPost();
    const html = '<img src="file:///etc/hostname"><img src="http://127.0.0.1:1/x.png">';
    await senderFor(`smtp://${post.host}`).send({ ...message, html }, AbortSignal.timeout(9000));
    assert.equal((await PostalMime.parse(onlyArrived(post).raw)).html?.trimEnd(), html);
  });

  it('forty mails at once share as many connections as mails are sent at once', async () => {
    let most = 0;
    let open = 0;
    const held: (() => void)[] = [];
    const onConnect = (_session: unknown, done: () => void) => {
      open += 1;
      most = Math.max(most, open);
      done();
    };
    const onClose = () => {
      open -= 1;
    };
    const onRcptTo: SMTPServerOptions['onRcptTo'] = (_address, _session, done) => {
      held.push(done);
      if (most === mostConnections) for (const goOn of held.splice(0)) goOn();
    };
    const post = await startPost({ onConnect, onClose, onRcptTo });
    const sender = senderFor(`smtp://${post.host}`);
    const outcomes = await Promise.all(Array.from({ length: 40 }, () => sendTo(sender)));
    assert.deepEqual([...new Set(outcomes.map(({ kind }) => kind))], ['accepted']);
    assert.equal(post.arrived.length, 40);
    assert.equal(most, mostConnections);
  });

  it('twenty mails of one caller, none of them answered by the server, delay no mail of another', async () => {
    const held: (() => void)[] = [];
    const onRcptTo: SMTPServerOptions['onRcptTo'] = ({ address }, _session, done) => {
      if (address === 'quick@example.org') done();
      else held.push(done);
    };
    const post = await startPost({ onRcptTo });
    const sender = senderFor(`smtp://${post.host}`, hour);
    const signal = new AbortController().signal;
    // As many as one IP address may cause in an hour. They hang until they are released.
    const slow = Array.from({ length: 20 }, () => sender.send(message, signal));
    await waitUntil('the server holds them all', () => held.length === 20);
    assert.deepEqual(await sender.send({ ...message, to: 'quick@example.org' }, signal), { kind: 'accepted' });
    assert.equal(post.arrived.length, 1);
    for (const goOn of held) goOn();
    assert.deepEqual([...new Set((await Promise.all(slow)).map(({ kind }) => kind))], ['accepted']);
    assert.equal(post.arrived.length, 21);
  });

  it('a mail is sent once if the server had closed the idle connection', async () => {
    const post = await startPost();
    const sender = senderFor(`smtp://${post.host}`);
    assert.deepEqual(await sendTo(sender), { kind: 'accepted' });
    post.drop();
    assert.deepEqual(await sendTo(sender), { kind: 'accepted' });
    assert.equal(post.arrived.length, 2);
  });

  it('a mail carries a DKIM signature if a key is configured', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-dkim-'));
    cleanUps.push(() => rmSync(folder, { recursive: true }));
    const keyFile = join(folder, 'dkim.pem');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const query = `dkim_domain=example.com&dkim_selector=mail&dkim_key_file=${encodeURIComponent(keyFile)}`;
    const post = await startPost();
    assert.deepEqual(await sendTo(senderFor(`smtp://${post.host}?${query}`)), { kind: 'accepted' });
    const signature = /^DKIM-Signature: (.*)$/im.exec(headersOf(onlyArrived(post).raw))?.[1] ?? '';
    assert.match(signature, /d=example\.com;.*s=mail;/);
    assert.match(signature, /h=[^;]*From[^;]*;/i);
    // The signer reads the body early. A loss before DATA must be reported as certain all the same.
    const dropper = await startScripted({ RCPT: undefined });
    assert.equal((await sendTo(senderFor(`smtp://${dropper}?${query}`))).kind, 'refused');
    assert.throws(() => senderFor(`smtp://${post.host}?dkim_domain=example.com`), /go together/);
  });
});

for (const hidePIPELINING of [false, true]) {
  describe(`a mail that fails ${hidePIPELINING ? 'verb by verb' : 'in a pipeline'}`, () => {
    const post = (options: SMTPServerOptions) => startPost({ ...options, hidePIPELINING });
    const sendWith = async (options: SMTPServerOptions, waits?: Partial<SmtpWaits>) =>
      sendTo(senderFor(`smtp://${(await post(options)).host}`, waits));

    it('a mail is reported as refused if its sender is refused', async () => {
      const refuse = (code: number) => sendWith({ onMailFrom: (_address, _session, done) => done(sayNo(code)) });
      assert.deepEqual(await refuse(451), { kind: 'refused', error: 'SMTP 451 at MAIL FROM' });
      assert.deepEqual(await refuse(550), { kind: 'refused', error: 'SMTP 550 at MAIL FROM' });
    });

    it('a mail is reported as refused if its recipient is refused temporarily, and as hopeless if permanently', async () => {
      const refuse = (code: number) => sendWith({ onRcptTo: (_address, _session, done) => done(sayNo(code)) });
      assert.deepEqual(await refuse(450), { kind: 'refused', error: 'SMTP 450 at RCPT TO', isOfRecipient: true });
      assert.deepEqual(await refuse(550), { kind: 'hopeless', error: 'SMTP 550 at RCPT TO' });
    });

    it('a mail is reported as refused if its content is refused temporarily, and as hopeless if permanently', async () => {
      const refuse = (code: number) =>
        sendWith({ onData: (stream, _session, done) => void stream.resume().on('end', () => done(sayNo(code))) });
      assert.deepEqual(await refuse(452), { kind: 'refused', error: 'SMTP 452 at DATA' });
      assert.deepEqual(await refuse(554), { kind: 'hopeless', error: 'SMTP 554 at DATA' });
    });

    it('a mail is reported as doubtful if the connection is lost between the last line and the answer', async () => {
      const server = await post({ onData: (stream) => void stream.resume().on('end', () => server.drop()) });
      const outcome = await sendTo(senderFor(`smtp://${server.host}`));
      assert.deepEqual(outcome, { kind: 'doubtful', error: 'connection lost' });
    });

    it('a mail is reported as refused if the connection is lost before DATA', async () => {
      const server = await post({ onRcptTo: () => server.drop() });
      const outcome = await sendTo(senderFor(`smtp://${server.host}`));
      assert.deepEqual(outcome, { kind: 'refused', error: 'connection lost' });
    });

    it('a mail is reported as doubtful without an answer to the last line, and as refused without an earlier answer', async () => {
      const [late, early] = await Promise.all([
        sendWith({ onData: (stream) => void stream.resume() }, { socketMilliseconds: 1500 }),
        sendWith({ onRcptTo: () => undefined }, { socketMilliseconds: 1500 }),
      ]);
      assert.deepEqual(late, { kind: 'doubtful', error: 'time-out' });
      assert.deepEqual(early, { kind: 'refused', error: 'time-out' });
    });

    it('a mail is reported as doubtful on a time-out after the last line', async () => {
      const timer = new AbortController();
      const server = await post({ onData: (stream) => void stream.resume().on('end', () => timer.abort()) });
      const outcome = await sendTo(senderFor(`smtp://${server.host}`), timer.signal);
      assert.deepEqual(outcome, { kind: 'doubtful', error: 'time-out' });
    });

    it('a mail is withdrawn on a time-out before DATA and never arrives', async () => {
      const timer = new AbortController();
      const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
      let goOn: () => void = () => undefined;
      const server = await post({
        onRcptTo: (_address, _session, done) => {
          goOn = done;
          timer.abort();
        },
        onClose: () => onClose(),
      });
      const outcome = await sendTo(senderFor(`smtp://${server.host}`), timer.signal);
      assert.deepEqual(outcome, { kind: 'refused', error: 'time-out' });
      goOn();
      await closed;
      assert.deepEqual(server.arrived, []);
    });

    it('a mail is withdrawn on a time-out while it waits for a connection', async () => {
      const timer = new AbortController();
      const busy: (() => void)[] = [];
      const { promise: full, resolve: onFull } = Promise.withResolvers<void>();
      const server = await post({
        onRcptTo: (_address, _session, done) => {
          if (busy.length === mostConnections) return done();
          if (busy.push(done) === mostConnections) onFull();
        },
      });
      const sender = senderFor(`smtp://${server.host}`);
      const others = Array.from({ length: mostConnections }, () => sendTo(sender));
      await full;
      const waiting = sendTo(sender, timer.signal);
      timer.abort();
      assert.deepEqual(await waiting, { kind: 'refused', error: 'time-out' });
      for (const goOn of busy) goOn();
      assert.deepEqual([...new Set((await Promise.all(others)).map(({ kind }) => kind))], ['accepted']);
      assert.deepEqual(await sendTo(sender), { kind: 'accepted' });
      assert.equal(server.arrived.length, mostConnections + 1);
    });
  });
}

describe('a failing SMTP server', () => {
  const sendBy = async (lines: Readonly<Record<string, string | undefined>>, waits?: Partial<SmtpWaits>) =>
    sendTo(senderFor(`smtp://${await startScripted(lines)}`, waits));

  it('an SMTP failure before DATA is never reported as doubtful', async () => {
    const nobody = createServer();
    const place = await listen(nobody);
    nobody.close();
    const outcomes = await Promise.all([
      sendTo(senderFor(`smtp://${place}`)),
      sendBy({ greeting: '' }, { connectionMilliseconds: 300 }),
      sendBy({ greeting: '' }, { greetingMilliseconds: 300 }),
      sendBy({ greeting: undefined }),
      sendBy({ greeting: '554 no service' }),
      sendBy({ greeting: '421 too busy' }),
      sendBy({ EHLO: undefined }),
      sendBy({ EHLO: '421 too busy' }),
      sendBy({ DATA: '451 not now' }),
      sendBy({ DATA: '554 never' }),
      sendBy({ DATA: '503 out of order' }),
      sendBy({ DATA: undefined }),
    ]);
    assert.deepEqual(outcomes, [
      { kind: 'refused', error: 'connection refused' },
      { kind: 'refused', error: 'time-out' },
      { kind: 'refused', error: 'time-out' },
      { kind: 'refused', error: 'connection lost' },
      { kind: 'refused', error: 'SMTP 554 at CONN' },
      { kind: 'refused', error: 'SMTP 421 at CONN' },
      { kind: 'refused', error: 'connection lost' },
      { kind: 'refused', error: 'SMTP 421 at EHLO' },
      { kind: 'refused', error: 'SMTP 451 at DATA' },
      { kind: 'hopeless', error: 'SMTP 554 at DATA' },
      { kind: 'refused', error: 'SMTP 503 at DATA' },
      { kind: 'refused', error: 'connection lost' },
    ]);
  });

  it('after the last line only a valid SMTP reply is believed', async () => {
    const kinds = ['250 taken', '421 going down', '554 spam', 'what?'].map(
      async (line) => (await sendBy({ '.': line })).kind,
    );
    assert.deepEqual(await Promise.all(kinds), ['accepted', 'refused', 'hopeless', 'doubtful']);
  });

  it('a failed mail does not block the next one', async () => {
    let isDown = true;
    const post = await startPost({ onRcptTo: (_address, _session, done) => (isDown ? post.drop() : done()) });
    const sender = senderFor(`smtp://${post.host}`);
    assert.equal((await sendTo(sender)).kind, 'refused');
    isDown = false;
    assert.equal((await sendTo(sender)).kind, 'accepted');
    assert.equal(post.arrived.length, 1);
  });

  it('a mail to a closed pool is reported as refused', async () => {
    const sender = senderFor(`smtp://${await startScripted({})}`);
    await sender.close?.();
    assert.equal((await sendTo(sender)).kind, 'refused');
  });

  it('the SMTP server is not contacted if the time is already up', async () => {
    const post = await startPost();
    const outcome = await senderFor(`smtp://${post.host}`).send(message, AbortSignal.abort());
    assert.deepEqual(outcome, { kind: 'refused', error: 'time-out' });
    assert.deepEqual(post.arrived, []);
  });
});

describe('SMTP authentication', () => {
  const options: SMTPServerOptions = {
    authOptional: false,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'us@er' && password === 'pa:ss/w?rd' ? done(null, { user: 'us@er' }) : done(sayNo(535)),
  };

  it('SMTP authentication takes name and password from the URL', async () => {
    const post = await startPost(options);
    assert.deepEqual(await sendTo(senderFor(`smtp://us%40er:pa%3Ass%2Fw%3Frd@${post.host}`)), { kind: 'accepted' });
  });

  it('SMTP authentication with a wrong password is refused, and the error does not contain it', async () => {
    const post = await startPost(options);
    const outcome = await sendTo(senderFor(`smtp://us%40er:wrong@${post.host}`));
    assert.deepEqual(outcome, { kind: 'refused', error: 'SMTP 535 at AUTH PLAIN' });
  });
});

describe('SMTP encryption', () => {
  // Used only by this test: localhost, 2020 to 2120.
  const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgEuRHjF8+mPAAa5KT
p3x2bU0et/NxLZ4H1TkIbiEyYfihRANCAAT2xM+ehoQ5vLloIaHs1Yn6QZL32L1Y
d9DB1o/PRZyBZLZIm6Q0GPFQ3O0ohpmW0SKm39OFaObWN9Km4SouEyzO
-----END PRIVATE KEY-----`;
  const cert = `-----BEGIN CERTIFICATE-----
MIIBaDCCAQ2gAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPbEz56GhDm8uWgh
oezVifpBkvfYvVh30MHWj89FnIFktkibpDQY8VDc7SiGmZbRIqbf04Vo5tY30qbh
Ki4TLM6jTjBMMA8GA1UdEwEB/wQFMAMBAf8wGgYDVR0RBBMwEYIJbG9jYWxob3N0
hwR/AAABMB0GA1UdDgQWBBSxrAsAnvPO3xnF7aZpW5NynXCKUDAKBggqhkjOPQQD
AgNJADBGAiEA+kRQhlWY3/Ifwv73rFmpx5BvuOY8rEPXsC+E1q0gcRoCIQDY7v/1
37o5OWpFZS8KSoV0z3cHQZNuoku9kMbjeORXVg==
-----END CERTIFICATE-----`;
  const start = async (options: SMTPServerOptions) => {
    const secured: boolean[] = [];
    const onMailFrom: SMTPServerOptions['onMailFrom'] = (_address, { secure }, done) => {
      secured.push(secure);
      done();
    };
    return { ...(await startPost({ key, cert, hideSTARTTLS: false, onMailFrom, ...options })), secured };
  };

  it('SMTP never falls back to plain text if the certificate is not trusted', async () => {
    const untrusted = [await start({}), await start({ secure: true })];
    for (const [index, post] of untrusted.entries()) {
      const outcome = await sendTo(senderFor(`${index === 0 ? 'smtp' : 'smtps'}://${post.host}`));
      assert.equal(outcome.kind, 'refused');
      assert.deepEqual(post.secured, []);
    }
  });

  it('SMTP uses TLS if it is offered, required or implicit', async () => {
    setDefaultCACertificates([cert]);
    const offered = await start({});
    const required = await start({});
    const implicit = await start({ secure: true });
    const outcomes = await Promise.all([
      sendTo(senderFor(`smtp://${offered.host}`)),
      sendTo(senderFor(`smtp://${required.host}?tls=require`)),
      sendTo(senderFor(`smtps://${implicit.host}`)),
    ]);
    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['accepted', 'accepted', 'accepted'],
    );
    assert.deepEqual(
      [offered, required, implicit].map(({ secured }) => secured),
      [[true], [true], [true]],
    );
  });

  it('SMTP leaves out TLS only if the URL says so', async () => {
    const post = await start({});
    assert.equal((await sendTo(senderFor(`smtp://${post.host}?tls=off`))).kind, 'accepted');
    assert.deepEqual(post.secured, [false]);
  });

  it('SMTP with tls=require refuses a server without STARTTLS', async () => {
    const post = await startPost();
    assert.equal((await sendTo(senderFor(`smtp://${post.host}?tls=require`))).kind, 'refused');
    assert.deepEqual(post.arrived, []);
  });

  it('SMTP to another machine refuses a server without STARTTLS and reveals neither password nor mail', async () => {
    const words: string[] = [];
    const post = await startPost({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, done) => {
        words.push(String(username), String(password));
        done(null, { user: username });
      },
    });
    // All IP addresses of this machine, but not named as loopback.
    const host = post.host.replace('127.0.0.1', '0.0.0.0');
    const refused = await sendTo(senderFor(`smtp://ann:hunter2@${host}`));
    assert.equal(refused.kind, 'refused');
    assert.match('error' in refused ? refused.error : '', /does not offer STARTTLS/);
    assert.deepEqual([words, post.arrived], [[], []]);
    assert.equal((await sendTo(senderFor(`smtp://ann:hunter2@${host}?tls=off`))).kind, 'accepted');
    assert.deepEqual(words, ['ann', 'hunter2']);
  });
});
