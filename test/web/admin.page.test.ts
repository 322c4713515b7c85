// The admin page in a real browser: by keyboard, on a narrow screen, in light and dark; every act has a reason and a name.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { findViolations } from '../helpers/browser/axe.ts';
import { openPageStage, shownPhone, type Visitor } from '../helpers/browser/page-stage.ts';
import { bindAddress, enter, newAddress } from '../helpers/people/users.ts';
import { call, newPhone } from '../helpers/requests/api.ts';
import { storeFile } from '../helpers/requests/upload.ts';
import { run } from '../helpers/services/command-line.ts';

const stage = await openPageStage();

describe('the admin page', { skip: stage === undefined }, () => {
  const here = stage ?? assert.fail();
  after(() => here.close());

  async function makeUser() {
    const user = await enter(here.url);
    const email = newAddress();
    await bindAddress(here.url, user.JWT, email);
    await call(here.url, 'POST', '/api/auth/phone/login', { body: { phone: user.phone, otp: '000000' } });
    const text = { purpose: 'document', name: 'minutes.txt', type: 'text/plain', bytes: Buffer.from('words') };
    await storeFile(here.url, { ...text, token: user.JWT });
    return { ...user, email, masked: `${user.phone.slice(0, 3)}•••${user.phone.slice(-2)}` };
  }

  async function signInAsStaff(
    { page }: Visitor,
    name: string,
    beforeLink?: () => Promise<void>,
    role = 'owner',
  ): Promise<string> {
    const { data } = await run(here.env, 'admin', 'token', '--name', name, '--role', role, '--json');
    await beforeLink?.();
    await page.goto(data.link.replace(/^https?:\/\/[^/]+/, here.url));
    await page.getByText(`Signed in as ${name}`).waitFor();
    assert.equal(new URL(page.url()).hash, '', 'the URL has no token any more');
    return data.id;
  }

  const openUsers = (page: Page) => page.getByRole('link', { name: 'Users', exact: true }).click();

  async function giveReason(page: Page, reason: string): Promise<void> {
    await page.getByRole('dialog').getByLabel('Reason').fill(reason);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }

  async function tour(visitor: Visitor, phone: string, judge: (page: Page, name: string) => Promise<void>) {
    const { page } = visitor;
    await signInAsStaff(visitor, 'Grace', async () => {
      await page.goto(`${here.url}/admin`);
      await page.getByLabel('Link or token').fill('nonsense');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').getByText('valid admin sign-in').waitFor();
      await judge(page, 'sign-in with a refusal');
    });
    await page.getByRole('img', { name: /^Sign-ins: / }).waitFor();
    await judge(page, 'overview');
    await page.getByText('All numbers as a table').click();
    await page.getByRole('columnheader', { name: 'Sign-ins', exact: true }).waitFor();
    await judge(page, 'overview with its table');
    await openUsers(page);
    await page.locator('.rows li').first().waitFor();
    await judge(page, 'users');
    await page.getByLabel(/Phone number or its last digits/).fill(phone.slice(-6));
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: 'Results' }).waitFor();
    await page.locator('.rows a').first().click();
    await page.getByText('minutes.txt').waitFor();
    await page.getByText('Wrong code').first().waitFor();
    await judge(page, 'user');
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByRole('dialog').waitFor();
    await judge(page, 'user with a dialog');
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Look up' }).click();
    await page.getByLabel(/Phone number with/).fill('+447400999999');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('No events.').waitFor();
    await judge(page, 'look-up');
    await page.getByRole('link', { name: 'Spending' }).click();
    await page.getByRole('heading', { name: 'Text messages today' }).waitFor();
    await judge(page, 'spend');
    await page.getByRole('link', { name: 'Service keys' }).click();
    await page.getByRole('heading', { name: 'Create a key' }).waitFor();
    await judge(page, 'service keys');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('Signed in to support').first().waitFor();
    await judge(page, 'audit');
  }

  const wide = { colorScheme: 'light', viewport: { width: 1000, height: 800 } } as const;
  const narrow = { colorScheme: 'dark', viewport: { width: 320, height: 640 } } as const;

  it('the admin page has no axe violation and no overflow, wide in light mode and 320 pixels wide in dark mode', async () => {
    const { phone } = await makeUser();
    const visitor = await here.visit(wide);
    visitor.forgive(403);
    await tour(visitor, phone, async (page, name) => {
      for (const { colorScheme, viewport } of [narrow, wide]) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize(viewport);
        // The dark mode changes only colours.
        const found = await findViolations(page, colorScheme === 'dark' ? 'colours' : 'everything');
        assert.deepEqual(found, [], `${name}, ${colorScheme}`);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width, name);
      }
    });
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the admin page masks phone numbers until a reason is given, and works by keyboard', async () => {
    const user = await makeUser();
    const visitor = await here.visit();
    visitor.forgive(403);
    const { page } = visitor;
    await signInAsStaff(visitor, 'Ada');
    await openUsers(page);
    await page.getByLabel(/Phone number or its last digits/).focus();
    await page.keyboard.type(user.email);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: user.masked }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    await page.getByText('Signed in', { exact: true }).waitFor();
    assert.ok(!(await page.content()).includes(user.phone));
    assert.equal(await page.getByText(shownPhone(user.phone)).count(), 0);
    await page.getByRole('button', { name: 'Show in full' }).focus();
    await page.keyboard.press('Enter');
    await giveReason(page, 'the caller named the number');
    await page.getByText(shownPhone(user.phone)).waitFor();
    await page.getByText(user.email).waitFor();
    await page.getByRole('button', { name: 'Block' }).click();
    await page.getByRole('dialog', { name: `Block user ${user.masked}?` }).waitFor();
    await page.getByRole('dialog').getByText('signed out on all devices').waitFor();
    await giveReason(page, 'ticket 12');
    await page.getByText(/blocked since/).waitFor();
    await page.getByText('Not signed in on any device.').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    await giveReason(page, 'asked for it');
    assert.match((await download).suggestedFilename(), /^[0-9a-f-]{36}\.json$/);
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByRole('dialog', { name: `Delete the account of ${user.masked}?` }).waitFor();
    await page.getByRole('dialog').getByText('1 file and 0 sessions go with the account.').waitFor();
    const button = page.getByRole('dialog').getByRole('button', { name: 'Delete user' });
    await page.getByRole('dialog').getByLabel('Reason').fill('asked for it');
    assert.equal(await button.isDisabled(), true, 'not without the last letters of the id');
    await page.getByRole('dialog').getByLabel(/Type/).fill(page.url().slice(-4));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByText('ticket 12').waitFor();
    for (const text of ['User deleted', 'Data exported', 'Blocked', 'Shown in full'])
      assert.match(await page.getByRole('listitem').filter({ hasText: text }).first().innerText(), /Ada/);
    assert.ok(!(await page.content()).includes(user.phone));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in with your link' }).waitFor();
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
    const policy = (await fetch(`${here.url}/admin`)).headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';/);
  });

  it('the admin page schedules a number after it named the user, shows its date, cancels it, and removes an address', async () => {
    const user = await makeUser();
    const visitor = await here.visit();
    visitor.forgive(409);
    const { page } = visitor;
    await signInAsStaff(visitor, 'Edith');
    await openUsers(page);
    await page.getByLabel(/Phone number or its last digits/).fill(user.email);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: user.masked }).click();
    await page.getByRole('button', { name: 'Change number' }).click();
    const dialog = page.getByRole('dialog', { name: `Change the phone number of user ${user.masked}?` });
    await dialog.getByText('Nobody can shorten the wait.').waitFor();
    const submit = dialog.getByRole('button', { name: 'Change number' });
    await dialog.getByLabel('Reason').fill('ticket 4712');
    assert.equal(await submit.isDisabled(), true, 'not without a number');
    const { phone: taken } = await enter(here.url);
    await dialog.getByLabel('New phone number').fill(taken);
    await submit.click();
    await dialog.getByText('This phone number belongs to another account.').waitFor();
    const next = newPhone();
    await dialog.getByLabel('New phone number').fill(next);
    await submit.click();
    const masked = `${next.slice(0, 3)}•••${next.slice(-2)}`;
    await page.getByText(`${masked}, from`).waitFor();
    await page.getByText('Change of the phone number scheduled').first().waitFor();
    assert.ok(!(await page.content()).includes(next));
    assert.equal(await page.getByText(shownPhone(next)).count(), 0);
    await page.getByRole('button', { name: 'Show in full' }).click();
    await giveReason(page, 'they called');
    await page.getByText(`${shownPhone(next)}, from`).waitFor();
    await page.getByRole('button', { name: 'Cancel change of number' }).click();
    await page.getByRole('dialog', { name: `Cancel the change of number of user ${user.masked}?` }).waitFor();
    await giveReason(page, 'found the phone');
    await page.getByText(`${shownPhone(next)}, from`).waitFor({ state: 'detached' });
    await page.getByText('Scheduled change of the phone number cancelled').first().waitFor();
    await page.getByRole('button', { name: 'Remove e-mail address' }).click();
    await giveReason(page, 'not theirs');
    await page.getByText('E-mail address removed').first().waitFor();
    await page.getByRole('button', { name: 'Remove e-mail address' }).waitFor({ state: 'detached' });
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the admin page shows and lifts the suspension of numbers without a country', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signInAsStaff(visitor, 'Mary');
    const satellite = { country: '+870', sent: 9, opened: 9, used: 0, suspendedBy: 'country' };
    const data = { day: '2031-05-05', sent: 9, most: 99, mostPerCountry: 9, suspended: false, countries: [satellite] };
    const answer = { success: true, message: '', codeError: null, data };
    await page.route('**/api/admin/spend', (route) => route.fulfill({ json: answer }));
    await page.getByRole('link', { name: 'Spending' }).click();
    await page.getByText('+870').waitFor();
    const lifted = page.waitForResponse('**/api/admin/spend/lift');
    await page.getByRole('button', { name: 'Lift suspension' }).click();
    await giveReason(page, 'a test');
    assert.equal((await lifted).status(), 200);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  for (const [role, offered, missing] of [
    ['viewer', [], ['Show in full', 'Block user', 'Sign out everywhere', 'Clear limits', 'Export data', 'Delete user']],
    ['support', ['Show in full', 'Block user', 'Clear limits'], ['Export data', 'Delete user', 'Delete file']],
  ] as const) {
    it(`the admin page says that the role is ${role}, and offers only what it may do`, async () => {
      const { email, masked } = await makeUser();
      const visitor = await here.visit();
      const { page } = visitor;
      await signInAsStaff(visitor, `Role ${role}`, undefined, role);
      await page.getByText(`Role: ${role}`).waitFor();
      await openUsers(page);
      await page.getByLabel(/Phone number or its last digits/).fill(email);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: masked }).click();
      await page.getByText('minutes.txt').waitFor();
      for (const name of offered) assert.equal(await page.getByRole('button', { name }).count(), 1, name);
      for (const name of missing) assert.equal(await page.getByRole('button', { name }).count(), 0, name);
      await page.getByRole('link', { name: 'Service keys' }).click();
      await page.getByRole('heading', { name: 'Keys of app servers' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Create key' }).count(), 0);
      assert.deepEqual(visitor.problems(), []);
      await visitor.context.close();
    });
  }

  it('the admin page names whose limit it is, how often it was counted, and until when it is in the way', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signInAsStaff(visitor, 'Emmy');
    const limit = { subject: '+44•••56', hits: 0, lastAt: null, blockedSeconds: 0 };
    const limits = [
      { ...limit, kind: 'sends', hits: 5, blockedSeconds: 3600 },
      { ...limit, kind: 'failures', hits: 1 },
      { ...limit, kind: 'devices' },
    ];
    const data = { userId: null, limits, timeline: { entries: [], next: null } };
    const answer = { success: true, message: '', codeError: null, data };
    await page.route('**/api/admin/recipients/search', (route) => route.fulfill({ json: answer }));
    await page.getByRole('link', { name: 'Look up' }).click();
    await page.getByLabel(/Phone number with/).fill('+447400123456');
    await page.getByRole('button', { name: 'Look up' }).click();
    const rows = page.getByRole('listitem');
    await rows.filter({ hasText: /^Messages to \+44•••56 · counted 5 times\s*no new message until / }).waitFor();
    await rows.filter({ hasText: /^Wrong codes for \+44•••56 · counted once\s*not blocked$/ }).waitFor();
    assert.equal(await rows.count(), 2, 'nothing was counted on known devices');
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the overview names each provider that is left out, for whom and since when, and nothing while all is well', async () => {
    const visitor = await here.visit();
    const { page } = visitor;
    await signInAsStaff(visitor, 'Hedy');
    await page.getByRole('img', { name: /^Sign-ins: / }).waitFor();
    assert.equal(await page.getByRole('alert').filter({ hasText: /./ }).count(), 0);
    await page.route('**/api/admin/overview', async (route) => {
      const answer = await (await route.fetch()).json();
      const twilio = { channel: 'sms', provider: 'twilio', countries: [], nodes: 2, since: new Date().toISOString() };
      const vonage = { ...twilio, provider: 'vonage', countries: ['FR', 'PL'], nodes: 1 };
      await route.fulfill({ json: { ...answer, data: { ...answer.data, leftOutProviders: [twilio, vonage] } } });
    });
    await page.reload();
    const card = page.getByRole('region', { name: 'Providers that are left out' });
    await card.getByText(/^twilio has been left out since \d\d:\d\d on 2 nodes: it fails/).waitFor();
    await card.getByText(/^vonage has been left out since .* on 1 node, only for: France, Poland\. Messages/).waitFor();
    assert.deepEqual(await findViolations(page, 'everything'), []);
    assert.deepEqual(visitor.problems(), []);
    await visitor.context.close();
  });

  it('the admin page says that its session was revoked', async () => {
    const visitor = await here.visit();
    visitor.forgive(403);
    const id = await signInAsStaff(visitor, 'Joan');
    await run(here.env, 'admin', 'revoke', id, '--reason', 'a test');
    await visitor.page.getByRole('link', { name: 'Spending' }).click();
    await visitor.page.getByText('Your session has ended.').waitFor();
    await visitor.context.close();
  });
});
