// The requests of the collections for API programs: every public call of the route table, with variables in place of values.

import type { RouteLine } from '../../src/http/interface/route-line.ts';
import { sampleOf } from '../../src/http/interface/sample-value.ts';
import { type Endpoint, readInterface } from '../site/reference/endpoints.ts';

export type Pair = { readonly name: string; readonly value: string; readonly isOff?: true };

type RequestBody =
  | { readonly kind: 'json'; readonly text: string }
  | { readonly kind: 'form'; readonly fields: readonly Pair[]; readonly file: string }
  | { readonly kind: 'file'; readonly type: string };

export type CollectedRequest = {
  /** In kebab case: the name of a file. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly method: string;
  /** With parameters as `:name`. */
  readonly path: string;
  readonly params: readonly Pair[];
  readonly query: readonly Pair[];
  readonly headers: readonly Pair[];
  /** The variable with the bearer token. */
  readonly token: 'accessToken' | 'serviceKey' | undefined;
  readonly body: RequestBody | undefined;
};

export type Folder = { readonly name: string; readonly title: string; readonly requests: readonly CollectedRequest[] };

/** Their values in local mode, at the default address. */
export const variables: readonly Pair[] = [
  { name: 'baseUrl', value: 'http://localhost:8080' },
  { name: 'captchaToken', value: 'local' },
  { name: 'phone', value: '+12025550123' },
  { name: 'email', value: 'ann@example.com' },
  { name: 'code', value: '' },
  { name: 'accessToken', value: '' },
  { name: 'refreshToken', value: '' },
  { name: 'serviceKey', value: '' },
  { name: 'fileId', value: '' },
  { name: 'uploadId', value: '' },
  { name: 'linkId', value: '' },
  { name: 'sessionId', value: '' },
  { name: 'userId', value: '' },
  { name: 'appId', value: '' },
];

/** After each answer: keeps what the next requests need. `body` is the parsed answer, `keep` sets a variable. */
export const keepingScript: readonly string[] = [
  'const data = (body && body.data) || {};',
  "if (data.JWT) keep('accessToken', data.JWT);",
  "if (data.RT) keep('refreshToken', data.RT);",
  "if (String(data.id).startsWith('fil_')) keep('fileId', data.id);",
  "if (String(data.id).startsWith('upl_')) keep('uploadId', data.id);",
  "const found = /\\b\\d{6}\\b/.exec((data.messages && data.messages[0] && data.messages[0].text) || '');",
  "if (found) keep('code', found[0]);",
];

const titles: readonly (readonly [tag: string, title: string])[] = [
  ['auth', 'Sign in'],
  ['file', 'Files'],
  ['back-end', 'Back end'],
];

export function collectRequests(lines: readonly RouteLine[]): Folder[] {
  const { endpoints } = readInterface(lines);
  return titles.map(([tag, title]) => {
    const requests = endpoints.filter((each) => each.tag === tag).map((each) => toRequest(each, lineOf(lines, each)));
    return { name: tag, title, requests: tag === 'auth' ? withInbox(requests) : requests };
  });
}

function lineOf(lines: readonly RouteLine[], { id }: Endpoint): RouteLine {
  const line = lines.find(({ name }) => name === id);
  if (line === undefined) throw new Error(`${id} is not in the route table`);
  return line;
}

function toRequest(endpoint: Endpoint, { route }: RouteLine): CollectedRequest {
  const { id, method, summary, description = '', guards, parameters } = endpoint;
  const named = (place: 'query' | 'header') => parameters.filter((each) => each.in === place);
  return {
    id: id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
    name: summary,
    description,
    method,
    path: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    params: paramsOf(endpoint.path),
    query: named('query').map(({ name, required, schema }) => ({
      name,
      value: name === 'user' ? '{{userId}}' : String(sampleOf(schema)),
      ...(!required && { isOff: true as const }),
    })),
    headers: [
      ...(guards.includes('refresh-origin') ? [{ name: 'RT', value: '{{refreshToken}}' }] : []),
      ...named('header')
        .filter(({ required }) => required)
        .map(({ name, schema }) => ({
          name,
          value: name === 'captcha-token' ? '{{captchaToken}}' : String(sampleOf(schema)),
        })),
    ],
    token: guards.includes('access') ? 'accessToken' : guards.includes('backend') ? 'serviceKey' : undefined,
    body: bodyOf(endpoint, Object.keys(route.requestTypes ?? {})),
  };
}

/** `/api/service/users/{id}` takes the variable userId. */
function paramsOf(path: string): Pair[] {
  return [...path.matchAll(/\/([\w-]+)\/\{(\w+)\}/g)].map(([, place = '', name = '']) => ({
    name,
    value: `{{${name === 'id' ? (variableOf[place] ?? name) : name}}}`,
  }));
}

const variableOf: Readonly<Record<string, string>> = {
  users: 'userId',
  sessions: 'sessionId',
  apps: 'appId',
  file: 'fileId',
  files: 'fileId',
  trash: 'fileId',
  upload: 'uploadId',
};

function bodyOf({ path, body }: Endpoint, types: readonly string[]): RequestBody | undefined {
  if (types.includes('multipart/form-data'))
    return { kind: 'form', fields: [{ name: 'purpose', value: 'attachment' }], file: 'file' };
  if (types[0] !== undefined) return { kind: 'file', type: types[0] };
  if (body === undefined) return undefined;
  const sample = sampleOf(body.schema) as Readonly<Record<string, unknown>>;
  const filled = Object.entries(sample).map(([name, value]) => [name, variableFor(name, path) ?? value]);
  return { kind: 'json', text: JSON.stringify(Object.fromEntries(filled), null, 2) };
}

function variableFor(field: string, path: string): string | undefined {
  if (field === 'recipient') return path.includes('/email/') ? '{{email}}' : '{{phone}}';
  if (field === 'phone' || field === 'email') return `{{${field}}}`;
  if (field === 'token' && path.includes('/tokens/')) return '{{accessToken}}';
  return field === 'otp' ? '{{code}}' : undefined;
}

function isChallenge({ id }: CollectedRequest): boolean {
  return id === 'captcha-challenge';
}

/** The inbox of local mode is no part of the API, but the next request needs the code. */
function withInbox(requests: readonly CollectedRequest[]): CollectedRequest[] {
  const inbox: CollectedRequest = {
    id: 'read-inbox',
    name: 'Read the code from the inbox of local mode',
    description: 'Only in local mode. Keeps the newest code for the next request.',
    method: 'GET',
    path: '/api/inbox',
    params: [],
    query: [
      { name: 'to', value: '{{phone}}' },
      { name: 'wait', value: '10' },
    ],
    headers: [],
    token: undefined,
    body: undefined,
  };
  // Local mode accepts any captcha token: the challenge comes last, so that the first three requests sign in.
  const [challenge, others] = [requests.filter(isChallenge), requests.filter((each) => !isChallenge(each))];
  return [...others.flatMap((each) => (each.id === 'send-phone-otp' ? [each, inbox] : [each])), ...challenge];
}
