import { openPageStage } from '../helpers/page-stage.ts';
const stage = await openPageStage({ BRAND_FILE: process.argv[2] ?? '/tmp/brand-a/brand.json' });
if (stage === undefined) throw new Error('none');
try {
  for (const colorScheme of ['light', 'dark'] as const) {
    const v = await stage.visit({ colorScheme, viewport: { width: 1200, height: 900 } });
    await v.page.goto(`${stage.url}/`);
    await v.page.getByLabel('Phone number').waitFor();
    await v.page.screenshot({ path: `/tmp/brand-a/sign-in-${colorScheme}.png` });
    await v.page.goto(`${stage.url}/brand`);
    await v.page.getByRole('heading', { name: 'Brand' }).waitFor();
    await v.page.waitForLoadState('networkidle');
    await v.page.screenshot({ path: `/tmp/brand-a/brand-${colorScheme}.png`, fullPage: true });
    console.log(v.problems());
  }
} finally { await stage.close(); }
