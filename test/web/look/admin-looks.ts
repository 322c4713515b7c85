// The states of the admin page.
import type { Look, Scene } from './look.ts';

async function openView({ page, url }: Scene, view: string): Promise<void> {
  await page.goto(`${url}/admin#${view}`);
  // Another view of the same page is only another part after the #.
  await page.reload();
  await page.locator('main h1, main h2').first().waitFor();
  await page.waitForLoadState('networkidle');
}

async function openUser(scene: Scene): Promise<void> {
  await openView(scene, `users/${scene.prepared.userId}`);
  await scene.page.getByText('garden.png').first().waitFor();
}

const view = (name: string): Look => ({ name: `admin-${name}`, who: 'staff', show: (scene) => openView(scene, name) });

/** The views that the navigation leads to. */
const adminViews = ['overview', 'users', 'look-up', 'spend', 'apps', 'service-keys', 'audit'] as const;

export const adminLooks: readonly Look[] = [
  { name: 'admin-enter', who: 'guest', statuses: [401, 403], show: (scene) => openView(scene, '') },
  ...adminViews.map(view),
  {
    name: 'admin-nobody-found',
    who: 'staff',
    show: async (scene) => {
      const { page, say } = scene;
      await openView(scene, 'users');
      await page.getByLabel(say.page('admin.who')).fill('nobody@example.com');
      await page.keyboard.press('Enter');
      await page.getByText(say.page('admin.noUsers')).waitFor();
    },
  },
  { name: 'admin-user', who: 'staff', show: openUser },
  {
    name: 'admin-block',
    who: 'staff',
    show: async (scene) => {
      const { page, say } = scene;
      await openUser(scene);
      await page.getByRole('button', { name: say.page('admin.block'), exact: true }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
