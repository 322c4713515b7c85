// A phone of the network signs in to `serve --lan`: plain http on an address that is not this machine's own name, so no secure context.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { after, describe, it } from 'node:test';
import { findLanAddresses } from '../../../src/commands/serve/lan.ts';
import { openBrowser, watch } from '../../helpers/browser/browser.ts';
import { codeIn, newPhone, readMessages, shownPhone } from '../../helpers/browser/page-stage.ts';
import { isolatedEnv, spawnMain } from '../../helpers/services/gatehouse.ts';
import { waitUntil } from '../../helpers/wait-until.ts';

/** `freePort` keeps its ports at another address of this machine, so that nobody can listen at all of them. */
async function portOfAllAddresses(): Promise<number> {
  const server = createServer().listen(0, '0.0.0.0');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const [address] = findLanAddresses();
const browser = await openBrowser('engine', address === undefined ? [] : [address]);

describe('a phone of the network', { skip: browser === undefined }, () => {
  const engine = browser ?? assert.fail();
  after(() => engine.close());

  it('a phone of the network signs in over plain http, and its session stays after a reload', async (test) => {
    const { env, dispose } = await isolatedEnv('sqlite', { PORT: String(await portOfAllAddresses()) });
    test.after(dispose);
    const { child, output, ended } = spawnMain(['--lan'], env);
    test.after(() => child.kill('SIGKILL'));
    if (address === undefined) {
      // A machine without a network says so.
      assert.equal(await ended, 1);
      assert.match(output().stderr, /--lan finds no IPv4 address/);
      return;
    }
    const url = `http://${address}:${env.PORT}`;
    await waitUntil(
      () => output().stderr,
      () => output().stderr.includes('ready in'),
    );
    assert.match(output().stderr, /local mode/);
    assert.ok(output().stderr.includes(`${url}/inbox`), output().stderr);
    assert.match(output().stderr, /Warning: Everyone in this network can open the inbox and sign in as anyone\./);
    // No picture of a code in a file.
    assert.doesNotMatch(output().stderr, /[▀▄█]/);
    const context = await engine.newContext({ locale: 'en-GB', viewport: { width: 390, height: 800 }, hasTouch: true });
    context.setDefaultTimeout(60_000);
    const page = await context.newPage();
    const { problems } = watch(page, url);
    const { typed, phone } = newPhone();
    await page.goto(url);
    assert.equal(await page.evaluate('isSecureContext'), false);
    await page.getByLabel('Phone number').fill(typed);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Six-digit code').waitFor();
    const [message] = await readMessages(url, phone);
    await page.getByLabel('Six-digit code').fill(codeIn(message ?? assert.fail()));
    await page.waitForURL('**/account');
    await page.reload();
    await page.getByText(shownPhone(phone)).waitFor();
    await page.goto(`${url}/inbox`);
    await page.getByText(shownPhone(phone)).first().waitFor();
    // Chromium says so of every page on plain http. The header is of use on https.
    const others = problems.filter(
      (problem) => !problem.includes('Cross-Origin-Opener-Policy header has been ignored'),
    );
    assert.deepEqual(others, []);
    await context.close();
  });
});
