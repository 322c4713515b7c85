// The states of the account page.
import type { Locator } from 'playwright-core';
import { pngOf } from '../../helpers/browser/pictures.ts';
import { allLoaded, choose, hold, type Look, openMenu, type Scene } from './look.ts';

const uploads = '/api/file/upload**';

async function open({ page, url, say }: Scene): Promise<void> {
  await page.goto(`${url}/account`);
  await page.getByText(say.page('account.thisDevice')).first().waitFor();
}

async function openFiles(scene: Scene): Promise<void> {
  await open(scene);
  await tile(scene, 'garden.png').waitFor();
  await allLoaded(scene.page);
}

const tile = ({ page }: Scene, name: string): Locator => page.getByRole('listitem').filter({ hasText: name }).first();

async function choosePicture({ page }: Scene, name: string, bytes = pngOf(960, 640)): Promise<void> {
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name, mimeType: 'image/png', buffer: Buffer.from(bytes) });
}

export const accountLooks: readonly Look[] = [
  {
    name: 'account-loading',
    who: 'owner',
    show: async (scene) => {
      await hold(scene, '/api/auth/me');
      await hold(scene, '/api/file/**');
      await scene.page.goto(`${scene.url}/account`);
      await scene.page.locator('main').waitFor();
    },
  },
  { name: 'account-empty', who: 'newcomer', show: open },
  { name: 'account-files', who: 'owner', show: openFiles },
  {
    name: 'account-uploading',
    who: 'uploader',
    show: async (scene) => {
      await openFiles(scene);
      await hold(scene, uploads);
      await choosePicture(scene, 'harbour at six.png');
      await scene.page.getByRole('progressbar').first().waitFor();
    },
  },
  {
    name: 'account-failed-upload',
    who: 'uploader',
    statuses: [400, 413, 415, 422],
    show: async (scene) => {
      await openFiles(scene);
      await choosePicture(scene, 'damaged picture with a long name of its own.png', pngOf(64, 64).subarray(0, 200));
      const { page, say } = scene;
      await page.getByText(say.failure('FILE_CORRUPT')).or(page.locator('.upload [role=alert]')).first().waitFor();
    },
  },
  {
    name: 'account-menu',
    who: 'owner',
    show: async (scene) => {
      await openFiles(scene);
      const place = tile(scene, 'garden.png');
      if ((await place.locator('[aria-haspopup="menu"]').count()) > 0) await openMenu(place);
    },
  },
  {
    name: 'account-share',
    who: 'owner',
    show: async (scene) => {
      const { page, say } = scene;
      await openFiles(scene);
      await choose(tile(scene, 'notes.txt'), say.page('account.share'));
      await page.getByRole('dialog').getByText(say.page('account.noLinks')).waitFor();
    },
  },
  {
    name: 'account-share-links',
    who: 'owner',
    show: async (scene) => {
      const { page, say } = scene;
      await openFiles(scene);
      await choose(tile(scene, 'garden.png'), say.page('account.share'));
      await page.getByRole('dialog').getByText(say.page('account.links')).waitFor();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say.page('account.revoke') })
        .first()
        .waitFor();
    },
  },
  {
    name: 'account-trash',
    who: 'owner',
    show: async (scene) => {
      const { page, say } = scene;
      await openFiles(scene);
      await page.locator('summary', { hasText: say.page('account.trash') }).click();
      await page
        .getByRole('button', { name: say.page('account.restore') })
        .first()
        .waitFor();
    },
  },
  {
    name: 'account-change-phone',
    who: 'owner',
    show: async (scene) => {
      await open(scene);
      await choose(scene.page.locator('main'), scene.say.page('account.changePhone'));
      await scene.page.getByLabel(scene.say.page('account.newPhone')).waitFor();
    },
  },
  {
    name: 'account-add-email',
    who: 'newcomer',
    show: async (scene) => {
      await open(scene);
      await choose(scene.page.locator('main'), scene.say.page('account.addEmail'));
      await scene.page.getByLabel(scene.say.page('account.newEmail')).waitFor();
    },
  },
  {
    name: 'account-sessions',
    who: 'owner',
    show: async (scene) => {
      await open(scene);
      await scene.page.getByRole('heading', { name: scene.say.page('account.sessions') }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'account-delete',
    who: 'owner',
    show: async (scene) => {
      await open(scene);
      await choose(scene.page.locator('main'), scene.say.page('account.deleteAccount'));
      await scene.page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'account-deleted',
    who: 'guest',
    statuses: [401],
    show: async (scene) => {
      const { page, say } = scene;
      await scene.signIn();
      await open(scene);
      await choose(page.locator('main'), say.page('account.deleteAccount'));
      await page
        .getByRole('dialog')
        .getByRole('button', { name: say.page('account.deleteForGood') })
        .click();
      await page.getByRole('heading', { name: say.page('account.deletedTitle') }).waitFor();
    },
  },
  {
    name: 'account-offline',
    who: 'owner',
    statuses: [0],
    show: async (scene) => {
      await scene.page.route(`${scene.url}/api/auth/me`, (route) => route.abort());
      await scene.page.goto(`${scene.url}/account`);
      await scene.page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();
    },
  },
];
