// One request of a round: a valid call of an operation, then broken in one place, rarely in more.
import type { Chance } from './chance.ts';
import { type Draft, type FuzzCase, type Operation, toCase, type World } from './draft.ts';
import { spoilField, spoilText, spoilType } from './spoil-bodies.ts';
import { forge, spoilCondition, spoilCookies, spoilCrowd, spoilHeader, spoilScheme } from './spoil-heads.ts';
import { preflight, spoilFraming, spoilId, spoilMethod, spoilQuery, spoilTarget } from './spoil-lines.ts';
import { asForm, asJson, asRaw, rightPurpose, spoiledSample, spoilForm, spoilJson, spoilRaw } from './spoil-uploads.ts';

/** Paths outside the interface: pages, health checks and unknown paths. */
const otherPaths = [
  '/',
  '/docs',
  '/docs/errors',
  '/login/link',
  '/not-me',
  '/inbox',
  '/account',
  '/livez',
  '/readyz',
  '/openapi.json',
  '/.well-known/jwks.json',
  '/favicon.ico',
  '/assets/x.js',
  '/api',
  '/api/',
  '/nowhere',
  '/api/inbox',
  '/api/inbox?to=%2B12025550123',
];

export function* createRequests(world: World, chance: Chance, prefix: string): Generator<FuzzCase, never> {
  const menu = world.operations.flatMap((operation) => Array.from({ length: weightOf(operation) }, () => operation));
  for (let index = 0; ; index++) {
    const operation = chance.happens(0.06) ? undefined : chance.pick(menu);
    const draft = operation === undefined ? visit(chance.pick(otherPaths)) : write(operation, world, chance);
    // One in twenty stays valid, so that the state of the service changes.
    const spoils = chance.happens(0.05) ? 0 : chance.happens(0.8) ? 1 : 1 + chance.below(3);
    for (let count = 0; count < spoils && draft.head === undefined; count++) spoil(draft, operation, world, chance);
    yield toCase(draft, `${prefix}-${index}`);
  }
}

/** File operations have the most ways to fail. */
function weightOf({ takesFile, path }: Operation): number {
  if (takesFile) return 3;
  return path.startsWith('/file') ? 2 : 1;
}

function visit(target: string): Draft {
  return {
    method: 'GET',
    target,
    version: 'HTTP/1.1',
    headers: [['Host', 'localhost']],
    body: undefined,
    marks: [],
    isForged: false,
    isAlone: false,
    isHalfClosed: false,
    head: undefined,
  };
}

/** Requests that end a session or an account use the guest. */
function userFor({ method, path }: Operation, { guest, resident }: World): World['guest'] {
  const isFinal = /logout|refresh/.test(path) || (method === 'DELETE' && path.startsWith('/api/auth'));
  return isFinal ? guest : resident;
}

function write(operation: Operation, world: World, chance: Chance): Draft {
  const user = userFor(operation, world);
  const files = operation.method === 'DELETE' ? world.doomed : world.files;
  const id = chance.pick(operation.path.includes('sessions') ? user.sessionIds : files);
  const draft = visit(
    operation.path.startsWith('/api/admin') ? adminPath(operation, world, chance) : operation.path.replace('{id}', id),
  );
  draft.method = operation.method;
  const scheme = chance.pick(operation.security);
  if (scheme === 'bearerAuth') draft.headers.push(['Authorization', `Bearer ${user.accessToken}`]);
  if (scheme === 'jwtCookie') draft.headers.push(['Cookie', `JWT=${user.accessToken}`]);
  if (scheme === 'refreshTokenHeader') draft.headers.push(['RT', user.refreshToken]);
  if (scheme === 'refreshTokenCookie') draft.headers.push(['Cookie', `RT=${user.refreshToken}`]);
  if (scheme === 'adminSession') draft.headers.push(['Cookie', `ADMIN=${world.adminToken}`]);
  if (operation.hasCaptcha) draft.headers.push(['captcha-token', 'any']);
  if (operation.takesFile) {
    const sample = chance.happens(0.15) ? chance.pick(world.samples) : spoiledSample(world.samples, chance);
    chance.pick([asForm, asRaw, asJson])(draft, sample, rightPurpose(sample.type));
  } else if (operation.fields !== undefined) {
    draft.headers.push(['Content-Type', 'application/json']);
    draft.body = Buffer.from(JSON.stringify(bodyFor(draft, Object.keys(operation.fields), world, chance)));
  }
  return draft;
}

/** Deletions use the leavers, so that the other users stay. */
function adminPath({ path }: Operation, { charges, leavers }: World, chance: Chance): string {
  const { userId, sessionIds, files, messageIds } = chance.pick(path.endsWith('{id}/delete') ? leavers : charges);
  return path
    .replace('{id}', userId)
    .replace('{session}', chance.pick(sessionIds))
    .replace('{file}', chance.pick(files))
    .replace('{message}', chance.pick([...messageIds, userId]));
}

function bodyFor(draft: Draft, names: readonly string[], world: World, chance: Chance): Record<string, string> {
  const { lucky, charges } = world;
  const isLucky = chance.happens(0.1);
  const phone = isLucky ? lucky.phone : `+1202555${String(chance.below(10_000)).padStart(4, '0')}`;
  const email = `user${chance.below(1000)}@example.com`;
  const { userId } = chance.pick(charges);
  const values: Record<string, string> = {
    phone,
    otp: isLucky ? lucky.otp : String(chance.below(1_000_000)).padStart(6, '0'),
    recipient: names.includes('phone') || chance.happens(0.5) ? phone : email,
    email,
    token: chance.bytes(32).toString('base64url'),
    scope: chance.pick(['local', 'others', 'global']),
    who: chance.pick([userId, phone, email, phone.slice(-4), '']),
    whom: chance.pick([phone, email, '127.0.0.1', '2001:db8::1']),
    reason: 'a test',
    // The last letters of the user id in the path.
    confirm: /users\/[^/]*(.{4})\//.exec(draft.target)?.[1] ?? 'none',
    country: 'US',
    cursor: chance.pick([userId, `${Date.now()}_${userId}`]),
  };
  // A cursor is sent rarely: with an invalid one, the code after its check is not reached.
  const given = names.filter((name) => name !== 'cursor' || chance.happens(0.2));
  return Object.fromEntries(given.map((name) => [name, values[name] ?? 'x']));
}

type Spoil = (draft: Draft, operation: Operation, world: World, chance: Chance) => void;

const always: readonly Spoil[] = [
  (draft, _operation, _world, chance) => spoilHeader(draft, chance),
  (draft, _operation, _world, chance) => spoilHeader(draft, chance),
  (draft, _operation, _world, chance) => spoilHeader(draft, chance),
  (draft, _operation, _world, chance) => spoilTarget(draft, chance),
  (draft, operation, world, chance) => spoilCookies(draft, userFor(operation, world), chance),
  (draft, _operation, _world, chance) => spoilMethod(draft, chance),
  (draft, _operation, _world, chance) => spoilType(draft, chance),
];
const rare: readonly Spoil[] = [
  (draft, _operation, _world, chance) => spoilFraming(draft, chance),
  (draft, _operation, _world, chance) => spoilFraming(draft, chance),
  (draft, _operation, _world, chance) => spoilCrowd(draft, chance),
  (draft, _operation, _world, chance) => preflight(draft, chance),
  (draft, _operation, _world, chance) => spoilText(draft, chance),
];
const secured: readonly Spoil[] = [
  (draft, operation, world, chance) => forge(draft, userFor(operation, world), world.jwks, chance),
  (draft, operation, world, chance) => forge(draft, userFor(operation, world), world.jwks, chance),
  (draft, operation, world, chance) => spoilScheme(draft, userFor(operation, world), chance),
];
const bodies: readonly Spoil[] = [
  ...Array.from({ length: 6 }, (): Spoil => (draft, operation, _world, chance) => spoilField(draft, operation, chance)),
  ...Array.from({ length: 4 }, (): Spoil => (draft, _operation, _world, chance) => spoilText(draft, chance)),
];
const uploads: readonly Spoil[] = [
  (draft, _operation, { samples }, chance) => spoilForm(draft, chance.pick(samples), chance),
  (draft, _operation, { samples }, chance) => spoilForm(draft, chance.pick(samples), chance),
  (draft, _operation, { samples }, chance) => spoilRaw(draft, chance.pick(samples), chance),
  (draft, _operation, { samples }, chance) => spoilJson(draft, chance.pick(samples), chance),
];
const ids: readonly Spoil[] = [
  (draft, _operation, world, chance) => spoilId(draft, world, chance),
  (draft, _operation, world, chance) => spoilId(draft, world, chance),
];
const files: readonly Spoil[] = Array.from(
  { length: 5 },
  (): Spoil => (draft, _operation, _world, chance) => spoilCondition(draft, chance),
);
const queries: readonly Spoil[] = Array.from(
  { length: 3 },
  (): Spoil =>
    (draft, { query }, _world, chance) =>
      spoilQuery(draft, query, chance),
);

function spoil(draft: Draft, operation: Operation | undefined, world: World, chance: Chance): void {
  chance.pick(choiceFor(draft, operation, chance))(draft, operation ?? nowhere, world, chance);
}

function choiceFor(draft: Draft, operation: Operation | undefined, chance: Chance): readonly Spoil[] {
  if (operation === undefined) return always;
  const isUnspoilt = draft.marks.length === 0;
  if (chance.happens(0.08)) return rare;
  return [
    ...always,
    ...(operation.security.length > 0 ? secured : []),
    ...(operation.fields !== undefined && isUnspoilt ? bodies : []),
    ...(operation.takesFile && isUnspoilt ? uploads : []),
    ...(operation.path.includes('{id}') && isUnspoilt ? ids : []),
    ...(operation.path.startsWith('/file') ? files : []),
    ...(operation.query.length > 0 ? queries : []),
  ];
}

const nowhere: Operation = {
  method: 'GET',
  path: '/',
  security: [],
  hasCaptcha: false,
  takesFile: false,
  fields: undefined,
  query: [],
};
