// After a fault: acknowledged steps still hold, used codes stay used, and unanswered steps are done completely or not at all.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Note, Step } from '../../helpers/faults/acknowledgements.ts';
import { digest, uploadSound } from '../../helpers/faults/lives.ts';
import { bind, me, outcomeOf, redeem } from '../../helpers/people/users.ts';
import { call, logIn, type Pair, type Reply, refresh } from '../../helpers/requests/api.ts';

/** Throws at the first broken promise. With several nodes behind the URL, an access token ends on all of them a moment later. */
export async function judge(url: string, phone: string, notes: readonly Note[], patienceSeconds = 0): Promise<void> {
  const isDead = async (token: string) => {
    const deadline = performance.now() + patienceSeconds * 1000;
    while ((await me(url, token)).status !== 401) {
      if (performance.now() >= deadline) return false;
      await sleep(100);
    }
    return true;
  };
  const of = (step: Step, outcome: Note['outcome']) =>
    notes.filter((note) => note.step === step && note.outcome === outcome).map(({ facts }) => facts);
  /** Steps whose outcome is unknown. */
  const doubtful = (step: Step) => (isOpen(notes, step) ? of(step, 'asked').slice(-1) : []);
  await judgeCode(url, phone, of('sign in', 'done'), doubtful('sign in'));
  const [login] = of('sign in', 'done') as (Note['facts'] & Pair)[];
  if (login === undefined) return;
  const refreshes = of('refresh', 'done');
  const newest = refreshes.at(-1)?.RT ?? login.RT;
  // Whatever the outcome of an unanswered refresh, the user continues with the current token.
  const renewed = await refresh(url, newest);
  assert.equal(outcomeOf(renewed), '200', 'I1, I2: the newest token that was acknowledged works');
  const { JWT } = renewed.body.data as Pair;
  await judgeAddress(url, JWT, of('bind', 'done'), doubtful('bind'));
  await judgeLink(url, of('redeem', 'done'), doubtful('redeem'));
  for (const ended of of('sign out', 'done')) {
    assert.equal((await refresh(url, ended.RT ?? '')).status, 401, 'I9: a session that was ended stays so');
    assert.ok(await isDead(ended.JWT ?? ''), 'I9: and its access token is dead');
  }
  await judgeFiles(url, JWT, notes, doubtful('upload'));
  const [oldest] = of('refresh', 'asked');
  if (refreshes.length < 2 || oldest === undefined) return;
  assert.equal(
    outcomeOf(await refresh(url, oldest.old ?? '')),
    '401 REFRESH_TOKEN_REUSED',
    'I2: an old token is theft',
  );
  assert.ok(await isDead(JWT), 'I2: and ends its session');
}

function isOpen(notes: readonly Note[], step: Step): boolean {
  const last = notes.at(-1);
  return last?.step === step && last.outcome !== 'done';
}

type Facts = readonly Note['facts'][];

async function judgeCode(url: string, phone: string, done: Facts, doubtful: Facts): Promise<void> {
  for (const { code = '' } of done)
    assert.notEqual((await logIn(url, phone, code)).status, 200, 'I6: a code that was used works twice');
  for (const { code = '' } of doubtful) {
    const first = await logIn(url, phone, code);
    assert.match(outcomeOf(first), /^200$|^400 OTP_INVALID$/, 'I6: a doubtful sign-in was made, or can be made');
    assert.notEqual((await logIn(url, phone, code)).status, 200, 'I6: and not twice');
    if (first.status === 200) assert.equal((await me(url, first.body.data.JWT)).body.data.phone, phone);
  }
}

async function judgeAddress(url: string, JWT: string, done: Facts, doubtful: Facts): Promise<void> {
  const { email } = (await me(url, JWT)).body.data;
  for (const facts of done) assert.equal(email, facts.email, 'I4: an address that was bound has its owner');
  for (const facts of doubtful) {
    assert.ok(email === null || email === facts.email, 'I4: bound, or not');
    assert.equal(
      outcomeOf(await bind(url, JWT, facts.email ?? '', facts.code ?? '')),
      '200',
      'I4: a code is used with its effect',
    );
    assert.equal((await me(url, JWT)).body.data.email, facts.email);
  }
}

async function judgeLink(url: string, done: Facts, doubtful: Facts): Promise<void> {
  for (const { token = '' } of done)
    assert.equal(outcomeOf(await redeem(url, token)), '400 LINK_INVALID', 'I6: a link that was used works twice');
  for (const { token = '' } of doubtful) {
    assert.match(outcomeOf(await redeem(url, token)), /^200$|^400 LINK_INVALID$/);
    assert.equal(outcomeOf(await redeem(url, token)), '400 LINK_INVALID', 'I6: a link works twice');
  }
}

async function judgeFiles(url: string, JWT: string, notes: readonly Note[], doubtful: Facts): Promise<void> {
  const stored = notes.filter(({ step, outcome }) => step === 'upload' && outcome === 'done').map(({ facts }) => facts);
  const deletes = notes.filter(({ step }) => step === 'delete');
  const gone = new Set(deletes.filter(({ outcome }) => outcome === 'done').map(({ facts }) => facts.id));
  const perhaps = new Set(deletes.map(({ facts }) => facts.id));
  for (const { id = '', sha256 } of stored) {
    const response = await fetch(`${url}/file/${id}`, { headers: { authorization: `Bearer ${JWT}` } });
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (gone.has(id)) assert.equal(response.status, 404, 'I9: a file that was deleted stays so');
    else if (response.status !== 200) assert.ok(perhaps.has(id) && response.status === 404, `I3: ${id} is lost`);
    else assert.equal(digest(bytes), sha256, 'I3: a file has the bytes that were acknowledged');
  }
  const known = new Set(stored.map(({ id }) => id));
  for (const { key = '', size = '' } of doubtful) {
    const again = await uploadSound(url, JWT, key, Number(size));
    assert.match(outcomeOf(again), /^201$|^409 UPLOAD_IN_PROGRESS$/, 'a doubtful upload is repeated by its key');
    if (again.status === 201) known.add(again.body.data.id);
  }
  await judgeQuota(url, JWT, known, new Set([...known].filter((id) => !perhaps.has(id))));
}

async function judgeQuota(
  url: string,
  token: string,
  most: ReadonlySet<unknown>,
  least: ReadonlySet<unknown>,
): Promise<void> {
  const files: { id: string; size: number }[] = (await call(url, 'GET', '/api/file?limit=100', { token })).body.data
    .files;
  const ids = new Set<unknown>(files.map(({ id }) => id));
  assert.ok(ids.isSubsetOf(most), 'I5: a file is listed that was never acknowledged and not asked for again');
  assert.ok(least.isSubsetOf(ids), 'I3: a file that was acknowledged is not listed');
  const { quota }: Reply['body']['data'] = (await call(url, 'GET', '/api/file/purposes', { token })).body.data;
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  assert.deepEqual([quota.usedFiles, quota.usedBytes], [files.length, bytes], 'the quota counts what is listed');
}
