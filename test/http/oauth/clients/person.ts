// A person with a browser that has no pages: it keeps cookies and follows redirects, so that clients without a browser can be tested.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { newPhone, readCode, readEnvelope } from '../../../helpers/requests/api.ts';

/** Where a navigation ended. */
type Arrival = { readonly url: URL; readonly status: number; readonly text: string };

type Form = Readonly<Record<string, string>>;
type Cookie = { readonly name: string; readonly value: string; readonly host: string; readonly path: string };

type Question = { readonly method?: string; readonly headers?: Form; readonly body?: string };
type Answer = { readonly status: number; readonly location: string | undefined; readonly text: string };

const json = { 'content-type': 'application/json' };
const navigation = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
const posting = { ...navigation, 'content-type': 'application/x-www-form-urlencoded' };
const mostRedirects = 10;

export type Person = ReturnType<typeof createPerson>;

/** A new user of the service. */
export function createPerson(service: string) {
  const jar = new Map<string, Cookie>();
  const phone = newPhone();

  const cookiesFor = ({ hostname, pathname }: URL): string =>
    [...jar.values()]
      .filter(({ host, path }) => host === hostname && isBelow(pathname, path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');

  const keep = (url: URL, lines: readonly string[]) => {
    for (const line of lines) {
      const cookie = readCookie(url, line);
      const key = [cookie.host, cookie.path, cookie.name].join(' ');
      if (cookie.isGone) jar.delete(key);
      else jar.set(key, cookie);
    }
  };

  const ask = async (url: URL, { method = 'GET', headers = {}, body = '' }: Question = {}): Promise<Answer> => {
    const cookies = cookiesFor(url);
    const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
    const all = { ...headers, ...length, ...(cookies !== '' && { cookie: cookies }) };
    // Not fetch: it says by “sec-fetch-mode” that it is a script, and mod_auth_openidc sends scripts no redirect.
    const outgoing = request(url, { method, headers: all }).end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    keep(url, incoming.headers['set-cookie'] ?? []);
    const { statusCode: status = 0, headers: answered } = incoming;
    return { status, location: answered.location, text: await text(incoming) };
  };

  /** Calls the service as its own pages do: by cookie. */
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { origin: service, 'captcha-token': 'any', ...(body !== undefined && json) };
    const question = { method, headers, body: body === undefined ? '' : JSON.stringify(body) };
    const envelope = readEnvelope((await ask(new URL(path, service), question)).text);
    assert.ok(envelope.success, `${path}: ${envelope.message}`);
    return envelope.data;
  };

  return {
    phone,
    /** Follows redirects. A redirect to `until` is where it ends: there the app listens, not this browser. */
    open: async (address: string | URL, { until, form }: { until?: string; form?: Form } = {}): Promise<Arrival> => {
      let url = new URL(address);
      let question: Question = { headers: navigation };
      if (form !== undefined) question = { method: 'POST', headers: posting, body: String(new URLSearchParams(form)) };
      for (let count = 0; count < mostRedirects; count++) {
        const { status, location, text } = await ask(url, question);
        if (location === undefined || status < 300) return { url, status, text };
        url = new URL(location, url);
        question = { headers: navigation };
        if (until !== undefined && url.href.startsWith(until)) return { url, status, text: '' };
      }
      throw new Error(`more than ${mostRedirects} redirects: ${url.href}`);
    },
    signIn: async () => {
      await call('POST', '/api/auth/phone/send/otp', { recipient: phone });
      await call('POST', '/api/auth/phone/login', { phone, otp: await readCode(service, phone) });
    },
    /** Ends the sessions of all apps, one by one, as on the account page. */
    endAppSessions: async () => {
      const { sessions } = await call('GET', '/api/auth/sessions');
      for (const { id, current } of sessions) if (!current) await call('DELETE', `/api/auth/sessions/${id}`);
    },
    isSignedIn: async () => (await ask(new URL('/api/auth/me', service))).status === 200,
  };
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function readCookie(url: URL, line: string): Cookie & { readonly isGone: boolean } {
  const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  const attribute = (wanted: string) => {
    const found = attributes.find((text) => text.toLowerCase().startsWith(`${wanted}=`));
    return found?.slice(wanted.length + 1);
  };
  const expires = attribute('expires');
  const isPast = expires !== undefined && Date.parse(expires) <= Date.now();
  return {
    name: pair.slice(0, at),
    value: pair.slice(at + 1),
    host: url.hostname,
    path: attribute('path') ?? '/',
    isGone: attribute('max-age') === '0' || (attribute('max-age') === undefined && isPast),
  };
}
