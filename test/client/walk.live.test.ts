// The client in Node, in header mode, against a real service: every call once, and no call of the interface is missing.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { calls } from '../../client/src/api-types.ts';
import { findFault } from '../../client/src/create-gatehouse.ts';
import { newUploadId } from '../../src/files/resumable/resumable-upload.ts';
import { createClient, openStage, type Stage } from '../helpers/client/stage.ts';
import { askForLink, codeIn, messagesTo } from '../helpers/people/users.ts';
import { newestMessage, newPhone, readCode } from '../helpers/requests/api.ts';
import { storeKinds } from '../helpers/services/gatehouse.ts';
import { fetchTableOperations } from '../helpers/services/openapi-document.ts';
import { waitUntil } from '../helpers/wait-until.ts';

const someUserId = '01a1e7a6-9e78-7001-8b34-a579f42d88c4';

for (const kind of storeKinds)
  describe(`every call of the client on ${kind}`, () => {
    let stage: Stage;
    before(async () => {
      stage = await openStage({}, kind);
    });
    after(() => stage.end());

    it('the client signs in, binds an e-mail address, stores files, signs out, and covers every call of the interface', async () => {
      const { url } = stage;
      const { gatehouse, lines } = createClient(url, { language: 'de' });
      const events: string[] = [];
      gatehouse.on('signed-in', () => events.push('signed-in'));
      const stop = gatehouse.on('signed-out', ({ reason }) => events.push(reason));
      const phone = newPhone();
      const email = `ann${phone.slice(1)}@example.com`;

      gatehouse.prepareCaptcha();
      await gatehouse.phone.sendCode(phone);
      await assert.rejects(gatehouse.phone.signIn(phone, '12345x'), { code: 'REQUEST_INVALID', status: 400 });
      await gatehouse.phone.signIn(phone, await readCode(url, phone));
      assert.deepEqual((({ phone, email }) => ({ phone, email }))(await gatehouse.me()), { phone, email: null });

      await gatehouse.email.sendCode(email);
      const code = codeIn(await newestMessage(url, email));
      await gatehouse.email.bind(email, code);
      assert.equal((await gatehouse.me()).email, email);

      const { purposes, quota } = await gatehouse.files.purposes();
      assert.ok(quota.maxBytes > 0);
      const document = purposes.find(({ name }) => name === 'document');
      assert.ok(document);
      const file = new File(['name,age\nann,41\n'], "Übersicht „1“ (Ann's).csv", { type: 'text/csv' });
      assert.equal(findFault(file, document), undefined);
      const seen: number[] = [];
      const record = await gatehouse.files.upload(file, {
        purpose: 'document',
        onProgress: ({ sentBytes }) => seen.push(sentBytes),
      });
      assert.deepEqual(seen, [0, file.size]);
      assert.equal(record.name, file.name);
      assert.equal(record.type, 'text/csv');
      assert.deepEqual(await gatehouse.files.show(record.id), record);
      assert.deepEqual(await gatehouse.files.list({ limit: 5 }), { files: [record], next: null });
      const answer = await gatehouse.fetch(gatehouse.files.url(record.id));
      assert.equal(await answer.text(), await file.text());
      assert.match(gatehouse.files.url(record.id), /\/file\/fil_[\w-]{22}$/);
      assert.match(gatehouse.files.url(record.id, { variant: 'thumb' }), /\/file\/fil_[\w-]{22}\?variant=thumb$/);
      const link = await gatehouse.files.links.create(record.id, { expiresIn: 60 });
      assert.equal(await (await fetch(link.url.replace(/^[^?]*(?=\/file\/)/, url))).text(), await file.text());
      assert.deepEqual(
        (await gatehouse.files.links.list(record.id)).map(({ id }) => id),
        [link.id],
      );
      await gatehouse.files.links.revoke(record.id, link.id);
      await gatehouse.files.links.revokeAll(record.id);
      await gatehouse.files.readers.set(record.id, [someUserId]);
      assert.deepEqual(await gatehouse.files.readers.get(record.id), [someUserId]);
      await gatehouse.files.delete(record.id);
      await assert.rejects(gatehouse.files.show(record.id), { code: 'FILE_NOT_FOUND' });
      assert.deepEqual(
        (await gatehouse.files.trash.list()).files.map(({ id }) => id),
        [record.id],
      );
      await gatehouse.files.trash.restore(record.id);
      await gatehouse.files.delete(record.id);
      await gatehouse.files.trash.remove(record.id);
      await gatehouse.files.trash.empty();

      const inParts = await gatehouse.files.upload(file, { purpose: 'document', resumable: true });
      assert.equal(inParts.sha256, record.sha256);
      assert.deepEqual((await gatehouse.files.openUploads.list()).uploads, []);
      // The client asks for the state of an upload after an interruption only, and cancels one that its caller gives up.
      for (const method of ['GET', 'DELETE'])
        assert.equal((await gatehouse.fetch(`${url}/api/file/upload/${newUploadId()}`, { method })).status, 404);

      assert.deepEqual(await gatehouse.files.openUploads.list({ limit: 5 }), { uploads: [], next: null });
      await assert.rejects(gatehouse.files.openUploads.cancel(newUploadId()), { code: 'UPLOAD_NOT_FOUND' });

      await gatehouse.refresh();
      await gatehouse.email.sendLink(email);
      const token = await askForLink(url, email);
      assert.equal((await gatehouse.email.checkLink(token)).sameBrowser, false);
      await gatehouse.email.signIn(token);
      const sessions = await gatehouse.sessions.list();
      assert.equal(sessions.length, 2);
      const other = sessions.find(({ current }) => !current);
      assert.ok(other);
      await gatehouse.sessions.end(other.id);
      assert.deepEqual(await gatehouse.apps.list(), []);
      await gatehouse.apps.remove('shop');
      await gatehouse.signOut('others');
      await gatehouse.proof.send('phone');
      await gatehouse.proof.confirm(await proofCode(url, phone));
      const next = newPhone();
      await gatehouse.phone.sendChangeCode(next);
      assert.equal((await gatehouse.phone.change(next, codeIn(await newestMessage(url, next)))).phone, next);
      assert.equal(await gatehouse.phone.scheduled(), null);
      await gatehouse.phone.cancelChange();
      // Only the cookies of the sign-in page may allow an app, never a token in a header.
      await assert.rejects(gatehouse.apps.allow('made up'), { code: 'BROWSER_SESSION_REQUIRED', status: 403 });
      await assert.rejects(gatehouse.phone.claim('x'.repeat(40)), { code: 'PROOF_TICKET_INVALID', status: 400 });
      await gatehouse.email.remove();
      assert.equal((await gatehouse.me()).email, null);
      await assert.rejects(gatehouse.reportNotMe('x'.repeat(32)), { code: 'LINK_INVALID', status: 400 });
      await gatehouse.deleteAccount();
      await assert.rejects(gatehouse.me(), { code: 'ACCESS_TOKEN_MISSING', status: 401 });
      stop();
      await gatehouse.signOut();
      assert.deepEqual(events, ['signed-in', 'signed-in', 'deleted']);
      assert.deepEqual(new Set(lines.map(shape)), new Set(await interfaceLines(url)));
    });
  });

describe('the client and the interface', () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.end());

  it('the table of client calls matches /openapi.json', async () => {
    assert.deepEqual(Object.values<string>(calls).sort(), (await interfaceLines(stage.url)).sort());
  });

  it('the client turns every failure into one kind of error', async () => {
    const { gatehouse } = createClient(stage.url, { language: 'es' });
    await assert.rejects(gatehouse.phone.sendCode('12'), (error: unknown) => {
      assert.ok(error instanceof Error && error.name === 'GatehouseError');
      const { code, status, requestId, helpUrl } = error as unknown as Record<string, unknown>;
      assert.deepEqual([code, status], ['PHONE_INVALID', 400]);
      assert.match(String(helpUrl), /\/docs\/errors#PHONE_INVALID$/);
      assert.match(String(requestId), /.{8}/);
      assert.match(error.message, /número/);
      return true;
    });
    const { gatehouse: lost } = createClient('http://127.0.0.1:9', { fetch });
    await assert.rejects(lost.phone.sendCode('+12025550123'), { code: 'NETWORK', status: 0 });
  });
});

/** The code of the second message: the first one signed the user in. */
function proofCode(url: string, phone: string): Promise<string> {
  return waitUntil('the code of the proof', async () => {
    const [newest, first] = await messagesTo(url, phone);
    return newest === undefined || first === undefined ? undefined : codeIn(newest);
  });
}

/** `GET /api/file/fil_…` as `GET /api/file/{id}`. */
function shape(line: string): string {
  return line
    .replace(/\/((?:fil|upl)_[\w-]{22}|[0-9a-f-]{36}|shop)(?=\/|$)/, '/{id}')
    .replace(/(?<=\/links\/)[\w-]{16}$/, '{linkId}');
}

/** The calls for apps. The admin routes are for the admin page only, and back ends have a client of their own. */
async function interfaceLines(url: string): Promise<string[]> {
  const paths = await fetchTableOperations<{ tags: string[] }>(url);
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { tags }]) => !tags.includes('admin') && !tags.includes('back-end'))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
}
