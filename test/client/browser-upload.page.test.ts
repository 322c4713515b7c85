// Uploads by the client in a real browser: progress, a picture that is then shown, a refusal, a signal that stops, no connection, a reload.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { startPageServer } from '../helpers/client/tab-page.ts';
import { openTabStage, signInAt } from '../helpers/client/tabs.ts';
import { pngFile } from '../helpers/uploads/sample-files.ts';

const { origin, close } = await startPageServer();
const stage = await openTabStage({ CORS_ORIGINS: origin });
after(close);

describe('uploads in a browser', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  it('the client in a browser uploads with progress, shows the picture, reports a refusal, and stops by a signal', async () => {
    const { context, pages, problems } = await here.openTabs(1, 'cookie');
    const page = pages[0] ?? assert.fail();
    await signInAt(here, page);
    const picture = pngFile(1500, 1000).toString('base64');
    const shown = await page.evaluate(showPicture, picture);
    assert.deepEqual(shown.size, [1500, 1000]);
    assert.equal(shown.name, 'Ann’s „photo“.png');
    assert.equal(shown.progress.at(-1), 1);
    assert.deepEqual(problems(), []);
    assert.equal(await page.evaluate(uploadTooMuch), 'FILE_TOO_LARGE');
    const stopped = await page.evaluate(stopUpload);
    assert.deepEqual(stopped, { code: 'ABORTED', files: 1 });
    await context.close();
  });

  it('the client uploads from a page of another origin with the name of the file, and reads it back', async () => {
    const { context, pages, problems } = await here.openTabs(1, 'header', { origin });
    const page = pages[0] ?? assert.fail();
    await signInAt(here, page);
    assert.deepEqual(await page.evaluate(uploadText), { name: 'größe.txt', text: 'grüße', code: 'FILE_NOT_FOUND' });
    assert.deepEqual(
      problems().filter((problem) => !problem.includes('404')),
      [],
    );
    await context.close();
  });

  it('a large upload in a browser waits while it is offline, and goes on after a reload with the bytes of IndexedDB', async () => {
    const { context, pages } = await here.openTabs(1, 'cookie');
    const page = pages[0] ?? assert.fail();
    await signInAt(here, page);
    let appends = 0;
    const held = new Promise<void>((resolve) =>
      page.route('**/api/file/upload/upl_*', async (route) => {
        if (route.request().method() !== 'PATCH') return route.continue();
        appends += 1;
        if (appends === 2) await context.setOffline(true);
        // The fourth hangs until the page is left.
        return appends === 4 ? resolve() : route.continue().catch(() => undefined);
      }),
    );
    await page.evaluate(startLarge);
    await page.waitForFunction(() => events.includes('waiting'));
    await context.setOffline(false);
    await held;
    const before = await page.evaluate(() => events);
    await page.unroute('**/api/file/upload/upl_*');
    await page.reload();
    const after = await page.evaluate(resumeLarge);
    assert.deepEqual(before.slice(-3), ['sending', 'waiting', 'sending']);
    assert.deepEqual(after, { canResume: true, name: 'large.txt', size: 24_000_000, isMonotone: true, left: 0 });
    await context.close();
  });
});

// The functions below run in the tab.

function startLarge() {
  const file = new File(['x'.repeat(24_000_000)], 'large.txt', { type: 'text/plain' });
  void gatehouse.files.upload(file, { purpose: 'document', onState: (state) => events.push(state) });
}

async function resumeLarge() {
  globalThis.gatehouse = openGatehouse({ storage: browserStore() });
  const [pending] = await gatehouse.files.pendingUploads();
  if (pending === undefined) throw new Error('nothing is pending');
  const sent = [pending.sentBytes];
  const onProgress = ({ sentBytes }: { sentBytes: number }) => sent.push(sentBytes);
  const { name, size } = await pending.resume(undefined, { onProgress });
  const isMonotone = sent.every((each, at) => at === 0 || each >= (sent[at - 1] ?? 0));
  const { canResume } = pending;
  return { canResume, name, size, isMonotone, left: (await gatehouse.files.pendingUploads()).length };
}

async function showPicture(base64: string) {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const file = new File([bytes], 'Ann’s „photo“.png', { type: 'image/png' });
  const progress: number[] = [];
  const { id, name } = await gatehouse.files.upload(file, {
    purpose: 'image',
    onProgress: ({ sentBytes, totalBytes }) => progress.push(sentBytes / totalBytes),
  });
  const image = new Image();
  image.src = gatehouse.files.url(id);
  await image.decode();
  return { name, progress, size: [image.naturalWidth, image.naturalHeight] };
}

function uploadTooMuch() {
  const file = new File(['x'.repeat(30_000_000)], 'large.txt', { type: 'text/plain' });
  return gatehouse.files.upload(file, { purpose: 'document' }).then(
    () => 'none',
    (error: { code: string }) => error.code,
  );
}

async function stopUpload() {
  const control = new AbortController();
  const file = new File(['x'.repeat(20_000_000)], 'large.txt', { type: 'text/plain' });
  const code = await gatehouse.files
    .upload(file, { purpose: 'document', signal: control.signal, onProgress: () => control.abort() })
    .then(
      () => 'none',
      (error: { code: string }) => error.code,
    );
  return { code, files: (await gatehouse.files.list()).files.length };
}

async function uploadText() {
  const file = new File(['grüße'], 'größe.txt', { type: 'text/plain' });
  const { id, name } = await gatehouse.files.upload(file, { purpose: 'document' });
  const text = await (await gatehouse.fetch(gatehouse.files.url(id))).text();
  await gatehouse.files.delete(id);
  const code = await gatehouse.files.show(id).then(
    () => 'none',
    (error: { code: string }) => error.code,
  );
  return { name, text, code };
}
