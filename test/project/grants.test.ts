// Whatever gives a credential is in the table of grants: routes, endpoints for apps, commands, messages, keys of the secret, stored hashes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type Grant, record } from '../../scripts/grants/grant.ts';
import { type GrantName, grants, testsOfGrants } from '../../scripts/grants/grants.ts';
import { allLines } from '../../scripts/site/all-lines.ts';
import type { JwtType } from '../../src/auth/tokens/signing-key.ts';
import { declarations } from '../../src/commands/declarations.ts';
import { paths } from '../../src/http/interface/paths.ts';
import type { PlainLine } from '../../src/http/interface/plain-line.ts';
import type { RouteLine } from '../../src/http/interface/route-line.ts';
import type { Schema } from '../../src/http/interface/schema.ts';
import { plainLines } from '../../src/http/plain-lines.ts';
import type { KeyPurpose } from '../../src/kernel/crypto/secrets.ts';
import { type MessageKind, messageKinds } from '../../src/messages/message-kinds.ts';
import { tables } from '../../src/store/engine/tables.ts';

/** Which grant each key of the secret makes. A new purpose of a key does not compile until it is here. */
const keyGrants: Readonly<Record<KeyPurpose, GrantName | 'gives nothing'>> = {
  'one-time code': 'one-time code',
  'refresh token': 'refresh token',
  'signing keys': 'secret and signing keys of the service',
  captcha: 'captcha solution',
  'sign-in link': 'sign-in link',
  'file link': 'link to a file',
  // Marks recipients in the logs.
  'recipient mark': 'gives nothing',
  'ask token': 'ask token',
  'device token': 'device token',
  'notice link': 'link of a notice',
  'proof ticket': 'proof ticket',
  'authorization ticket': 'ticket of a sign-in for an app',
  'single sign-on': 'cookie SSO',
  'browser session': 'cookie SSO',
};

/** Which grant each stored hash of a secret belongs to. */
const hashGrants: Readonly<Record<string, GrantName>> = {
  'login_links.token_hash': 'sign-in link',
  'login_links.browser_hash': 'sign-in link',
  'notice_links.token_hash': 'link of a notice',
  'sessions.seed_hash': 'refresh token',
  'admins.link_hash': 'link of staff',
  'admins.session_hash': 'session of staff',
  'service_keys.secret_hash': 'service key',
  'app_codes.code_hash': 'code of an app',
};

/** Which grant a signed text is. A new type does not compile until it is here. */
const signedGrants: Readonly<Record<JwtType, GrantName>> = { 'at+jwt': 'access token', JWT: 'id token' };

/** The notice of a replaced address has no link. */
const messagesWithoutSecret: readonly MessageKind[] = ['email-replaced'];

/** What opens nothing: the sign-out of an app goes on to a listed address with the state alone, events have ids, documents are public. */
const harmless = new Set([
  ...['GET /oauth/logout: page', 'GET /oauth/logout: header Location', 'POST /oauth/logout: header Location'],
  ...['/api/service/events', paths.openid, paths.authorizationServer, '/openapi.json', '/livez', '/readyz'].map(
    (path) => `GET ${path}: data`,
  ),
]);

/** Calls that change something and give no right but what their answer shows. Every other one is in the table with what it records. */
const recordNothing = `sendPhoneOtp sendLoginLink signInWithLink checkLink sendBindingOtp removeEmail sendPhoneChangeOtp
  cancelPhoneChange refreshTokenPair signOut sendProofOtp proveSession deleteAccount endSession withdrawApp uploadFile appendUpload
  cancelUpload emptyTrash removeFromTrash deleteFile restoreFile createFileLink revokeFileLinks revokeFileLink findUser deleteUser
  blockUser unblockUser endUserSessions checkToken uploadUserFile deleteUserFile adminEnter adminLeave adminFindUsers adminReveal
  adminExport adminBlock adminUnblock adminSignOut adminCancelPhone adminRemoveEmail adminDeleteUser adminClearLimits
  adminEndSession adminDeleteFile adminResend adminLookUp adminClearRecipient adminLift adminCreateServiceKey
  adminRotateServiceKey adminRevokeServiceKey exchangeAppTokens postUserinfo revokeAppToken postSignOutOfApp`.split(
  /\s+/,
);

/** Commands that give nothing: they read, end or repeat something. `config print` masks secrets. */
const giveNothing =
  `serve; doctor; migrate status; migrate up; backup create; backup verify; backup list; backup prune; backup journal; users find; users show;
  users block; users unblock; users sign-out; users remove-email; users delete; users export; export users; messages log;
  messages resend; webhooks list; webhooks replay; webhooks test; limits show; limits clear; audit tail; admin list; admin revoke;
  files list; files check; files move; files delete; storage adopt; database adopt; apps list; apps check; brand check; service-keys list;
  service-keys revoke; keys list; keys revoke; config print; config docs; sample curl`.split(/;\s+/);

/** Texts in answers that open nothing. Any other name is taken for a credential. */
const plainNames = new Set(
  `account app id phone email createdAt effectiveAt lastUsedAt userAgent name allowedAt purpose type sha256 charset keepUntil length
  expiresAt file accept readableBy served keepFor next deletedAt removedAt uses externalId blockedAt lastSeenAt authTime active sub sid
  exp clientId scope userId timestamp role endsAt day phoneChange address kind subject lastAt at since channel to state provider error country
  scope claims metadata public private detail suspendedBy createdBy token_type phone_number`.split(/\s+/),
);

type Shape = {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly type?: string | readonly string[];
};

/** The names of all texts in an answer, and of objects with any content. */
function textsIn(schema: Schema | undefined): string[] {
  const walk = ({ properties = {}, items, anyOf = [] }: Shape): string[] => [
    ...Object.entries(properties).flatMap(([name, value]) => [...(mayBeText(value) ? [name] : []), ...walk(value)]),
    ...[items, ...anyOf].flatMap((part) => (part === undefined ? [] : walk(part))),
  ];
  return schema === undefined ? [] : walk({ properties: { data: schema as Shape } });
}

function mayBeText({ type, properties, anyOf }: Shape): boolean {
  if (type === 'object') return properties === undefined;
  if (type === undefined) return anyOf?.some(mayBeText) ?? true;
  return type === 'string' || Array.isArray(type);
}

/** The URL of a file record opens the file only with a token. */
function secretsIn(schema: Schema | undefined): string[] {
  const names = textsIn(schema);
  return names.filter((name) => !plainNames.has(name) && !(name === 'url' && names.includes('sha256')));
}

/** What a route answers that may be worth something, as the table names it. */
function givenBy({ route }: Pick<RouteLine, 'route'>): string[] {
  return [
    ...secretsIn(route.data),
    ...secretsIn(route.other?.data),
    ...(route.cookies ?? []).map((name) => `cookie ${name}`),
    ...(route.askToken === 'given' ? ['header ask-token'] : []),
    ...(route.deviceToken === 'renewed' ? ['header device-token'] : []),
    ...(route.failures.includes('PHONE_NEEDS_PROOF') ? ['header proof-ticket'] : []),
    ...(route.servesFile === true || route.answerHeaders?.Location !== undefined ? ['header Location'] : []),
  ];
}

function givenByPlain({ answers }: PlainLine): string[] {
  return Object.values(answers).flatMap(({ schema, headers, type }) => [
    ...(type === 'text/html' ? ['page'] : secretsIn(schema)),
    ...(headers?.Location === undefined ? [] : ['header Location']),
  ]);
}

const callOf = ({ method, path }: Pick<RouteLine | PlainLine, 'method' | 'path'>) => `${method} ${path}`;
const pairs = (name: string, fields: readonly string[]) => fields.map((field) => `${name}: ${field}`);

const all = Object.values<Grant>(grants).flatMap(({ by }) => Object.entries(by));
const listed = new Set(all.map(([name]) => name));
const listedPairs = new Set(all.flatMap(([name, fields]) => pairs(name, fields)));
const lines = [...allLines(), ...plainLines];
const found = new Set([
  ...allLines().flatMap((line) => pairs(callOf(line), givenBy(line))),
  ...plainLines.flatMap((line) => pairs(callOf(line), givenByPlain(line))),
]);

describe('the table of calls that give more than they were sent', () => {
  it('lists each field, cookie and header by which an answer gives a credential, and no other', () => {
    assert.deepEqual(
      [...found.difference(listedPairs).difference(harmless)],
      [],
      'list them in scripts/grants, or their harmless texts here',
    );
    const shown = [...listedPairs].filter(
      (pair) => !/^(?:gatehouse|message) /.test(pair) && !pair.endsWith(`: ${record}`),
    );
    assert.deepEqual(
      shown.filter((pair) => !found.has(pair)),
      [],
    );
  });

  it('names for each call that changes something the right that it records, or it is said to record none', () => {
    const open = lines
      .filter(({ method, name }) => !['GET', 'OPTIONS'].includes(method) && !recordNothing.includes(name))
      .map((line) => `${callOf(line)}: ${record}`);
    const recorded = [...listedPairs].filter((pair) => pair.endsWith(`: ${record}`));
    assert.deepEqual(open.toSorted(), recorded.toSorted());
  });

  it('notices a new route that gives a credential', () => {
    const [line] = allLines();
    assert.ok(line !== undefined);
    const data = { type: 'object', properties: { magic: { type: 'string' } } } as unknown as Schema;
    assert.deepEqual(givenBy({ route: { ...line.route, data, cookies: ['RT'] } }), ['magic', 'cookie RT']);
  });

  it('lists every command, but those that give nothing', () => {
    const names = Object.keys(declarations).filter((name) => !giveNothing.includes(name));
    const named = [...listed].filter((name) => name.startsWith('gatehouse '));
    assert.deepEqual(names.map((name) => `gatehouse ${name}`).toSorted(), named.toSorted());
  });

  it('lists every message with a code or a link', () => {
    const kinds = Object.keys(messageKinds).filter((kind) => !messagesWithoutSecret.some((one) => one === kind));
    const named = [...listed].filter((name) => name.startsWith('message '));
    assert.deepEqual(kinds.map((kind) => `message ${kind}`).toSorted(), named.toSorted());
  });

  it('has a grant for every key of the secret, every signed text and every stored hash', () => {
    for (const grant of [...Object.values(keyGrants), ...Object.values(signedGrants), ...Object.values(hashGrants)])
      assert.ok(grant === 'gives nothing' || grant in grants, grant);
    const hashes = Object.entries<{ readonly columns: object }>(tables).flatMap(([table, { columns }]) =>
      Object.keys(columns).flatMap((column) => (column.endsWith('_hash') ? [`${table}.${column}`] : [])),
    );
    assert.deepEqual(hashes.toSorted(), Object.keys(hashGrants).toSorted());
  });

  it('each row has an id of its own, docs/security.md shows it, and something ends it', () => {
    const page = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
    const rows = Object.entries<Grant>(grants);
    assert.equal(new Set(rows.map(([, { id }]) => id)).size, rows.length);
    for (const [name, { id, ends }] of rows) {
      assert.match(id, /^GR\d\d$/);
      assert.ok(Object.keys(ends).length > 0, name);
      assert.ok(page.includes(`| ${id} | ${name} | `), name);
    }
  });

  it('test/promises.json names for each row the tests of scripts/grants; promises.test.ts finds them', () => {
    const promises = JSON.parse(readFileSync(new URL('../promises.json', import.meta.url), 'utf8')) as object;
    const named = Object.fromEntries(Object.entries(promises).filter(([id]) => id.startsWith('GR')));
    assert.deepEqual(named, testsOfGrants());
  });
});
