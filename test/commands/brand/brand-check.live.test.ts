// The command `brand check`: every problem with exit code 1, or a summary with contrast and the length of each SMS.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { createBrandFolder, northwind } from '../../helpers/services/brand-folder.ts';
import { run } from '../../helpers/services/command-line.ts';

describe('brand check', () => {
  const good = createBrandFolder();
  const bad = createBrandFolder({ ...northwind, accent: '#ffcc00', links: { support: 'nobody' } });
  after(() => {
    good.remove();
    bad.remove();
  });

  it('a good file is summed up, with the contrast of each pair of colours and the length of each SMS', async () => {
    const { code, stdout } = await run({ PUBLIC_URL: 'https://login.northwind.example/' }, 'brand', 'check', good.file);
    assert.equal(code, 0);
    assert.match(stdout, /brand\.json: no problems\n/);
    assert.match(stdout, /Accent {2}#0f766e in light, #79d0c6 in dark\n/);
    assert.match(stdout, /button +light +#ffffff on #0f766e +5\.47 +4\.5\n/);
    assert.match(stdout, /host login\.northwind\.example of PUBLIC_URL:\n/);
    assert.match(stdout, /\nen +1 +\d+ +160\n/);
  });

  it('a bad file is answered with every problem and exit code 1, also as JSON', async () => {
    const { code, stdout } = await run({}, 'brand', 'check', bad.file);
    assert.equal(code, 1);
    assert.match(
      stdout,
      /brand\.json has problems\.\n {2}accent\.light is hard to read.*\n {2}links\.support is neither/,
    );
    const json = await run({}, 'brand', 'check', bad.file, '--json');
    assert.equal(json.code, 1);
    assert.deepEqual(
      JSON.parse(json.stdout).problems.map(({ path }: { path: string }) => path),
      ['accent.light', 'links.support'],
    );
  });

  it('a PUBLIC_URL that is no address of the web does not stop the check', async () => {
    for (const PUBLIC_URL of ['mailto:x', 'nonsense', 'https://']) {
      const { code, stdout } = await run({ PUBLIC_URL }, 'brand', 'check', good.file);
      assert.equal(code, 0, PUBLIC_URL);
      assert.match(stdout, /host localhost of PUBLIC_URL:\n/);
    }
  });

  it('the name in BRAND_NAME counts, and a file that is missing is an error', async () => {
    const { code, stdout } = await run({ BRAND_NAME: 'Other' }, 'brand', 'check', good.file);
    assert.deepEqual([code, /name is not the name in BRAND_NAME/.test(stdout)], [1, true]);
    const missing = await run({}, 'brand', 'check', `${good.file}.none`);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /cannot be read/);
  });

  it('the help says what is checked and how to see the result', async () => {
    const { stdout } = await run({}, 'brand', 'check', '--help');
    for (const text of ['BRAND_FILE', 'PUBLIC_URL', 'exit', '/brand']) assert.ok(stdout.includes(text), text);
  });
});
