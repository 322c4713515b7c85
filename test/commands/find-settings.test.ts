// Which files give a command its settings, in which order, and what is reported of a file that cannot be used.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findSettings, type SettingPlaces } from '../../src/commands/find-settings.ts';
import type { Env } from '../../src/config/env-reader.ts';

const unit = (program: string) =>
  `[Service]\nWorkingDirectory=/opt/gatehouse\nEnvironmentFile=/etc/gatehouse/env\nEnvironment=DATA_DIR=/var/lib/gatehouse\nExecStart=/n/node ${program} serve\n`;
const installed = { '/etc/systemd/system/gatehouse.service': unit('/opt/gatehouse/dist/gatehouse.js') };
const settings = { '/etc/gatehouse/env': 'PUBLIC_URL=https://id.example.com\nPORT=9000\n' };
const dotEnv = { '.env': 'PORT=7000\nHOST=::1\n' };
const dotEnvOfService = { '/opt/gatehouse/.env': 'PORT=7000\nHOST=::1\n' };
const installedText = (...lines: string[]) => ({
  '/etc/systemd/system/gatehouse.service': `[Service]\n${lines.join('\n')}\nExecStart=/n/node /opt/gatehouse/dist/gatehouse.js serve\n`,
});

function find(files: Readonly<Record<string, string>>, request: Partial<Parameters<typeof findSettings>[0]> = {}) {
  const places: SettingPlaces = {
    readText: (path) => {
      if (files[path] === 'forbidden') throw Object.assign(new Error(), { code: 'EACCES' });
      return files[path];
    },
    listNames: (folder) =>
      Object.keys(files).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [])),
    realPath: (path) => path,
    root: '/opt/gatehouse/',
  };
  return findSettings({ env: {}, isService: false, ...request }, places);
}

describe('the settings of a command', () => {
  for (const [what, files, request, expected] of [
    ['are those of the environment', {}, { env: { PORT: '1' } }, { PORT: '1' }],
    ['are completed by .env', dotEnv, { env: { PORT: '1' } }, { PORT: '1', HOST: '::1' }],
    [
      'are those of the unit that runs this program, before .env of its folder',
      { ...installed, ...settings, ...dotEnvOfService },
      {},
      { PUBLIC_URL: 'https://id.example.com', PORT: '9000', HOST: '::1', DATA_DIR: '/var/lib/gatehouse' },
    ],
    [
      'are not those of .env in the current folder, which may be of a stranger, beside a unit',
      {
        ...installed,
        ...settings,
        '.env': 'BACKUP_URL=s3://thief\nBACKUP_KEY=x\nHOST=::1\nNODE_OPTIONS=--import=/tmp/x.js\n',
      },
      {},
      { PUBLIC_URL: 'https://id.example.com', PORT: '9000', DATA_DIR: '/var/lib/gatehouse' },
    ],
    [
      'have relative paths of the unit in the folder of the service, also that of the data where nothing sets it',
      {
        ...installedText('WorkingDirectory=-/srv/gatehouse', 'Environment=SECRET_FILE=keys/secret APPS_FILE=/a.json'),
        '/srv/gatehouse/.env': 'PURPOSES_FILE=purposes.json\n',
        ...dotEnv,
      },
      {},
      {
        SECRET_FILE: '/srv/gatehouse/keys/secret',
        APPS_FILE: '/a.json',
        PURPOSES_FILE: '/srv/gatehouse/purposes.json',
        DATA_DIR: '/srv/gatehouse/data',
      },
    ],
    [
      'have no .env of a folder that only systemd knows',
      { ...installedText('WorkingDirectory=~', 'Environment=DATA_DIR=/d'), ...dotEnv },
      {},
      { DATA_DIR: '/d' },
    ],
    [
      'are those of the delivered unit where none is installed',
      { '/opt/gatehouse/deploy/gatehouse.service': unit('/opt/gatehouse/dist/gatehouse.js'), ...settings },
      { env: { LOG_LEVEL: 'debug' } },
      { PUBLIC_URL: 'https://id.example.com', PORT: '9000', DATA_DIR: '/var/lib/gatehouse', LOG_LEVEL: 'debug' },
    ],
    [
      'are also in a drop-in of the unit',
      {
        ...installed,
        ...settings,
        '/etc/systemd/system/gatehouse.service.d/more.conf': '[Service]\nEnvironment=DATA_DIR=/srv/data\n',
      },
      {},
      { PUBLIC_URL: 'https://id.example.com', PORT: '9000', DATA_DIR: '/srv/data' },
    ],
    [
      'are not those of a unit for the service, which has them from systemd',
      { ...installed, ...settings },
      { isService: true },
      {},
    ],
    [
      'are not those of a unit if the environment names the data',
      { ...installed, ...settings },
      { env: { DATA_DIR: '/d' } },
      { DATA_DIR: '/d' },
    ],
    [
      'are those of a unit if the environment only changes how it is logged',
      { ...installed, ...settings },
      { env: { PORT: '1', SECRET: '' } },
      { PUBLIC_URL: 'https://id.example.com', PORT: '1', DATA_DIR: '/var/lib/gatehouse', SECRET: '' },
    ],
    [
      'are those of a named file, and no other',
      { ...installed, ...settings, ...dotEnv, x: 'PORT=5' },
      { envFile: 'x' },
      { PORT: '5' },
    ],
    [
      'are those of a named file and of the unit that it belongs to',
      { '/etc/systemd/system/gatehouse.service': unit('/srv/x/dist/gatehouse.js'), ...settings, ...dotEnv },
      { envFile: '/etc/gatehouse/env' },
      { PUBLIC_URL: 'https://id.example.com', PORT: '9000', DATA_DIR: '/var/lib/gatehouse' },
    ],
    [
      'are those of the environment before those of a named file',
      { x: 'PORT=5\nHOST=h' },
      { envFile: 'x', env: { PORT: '6' } },
      { PORT: '6', HOST: 'h' },
    ],
    [
      'are not those of a unit that runs another copy of the program',
      { '/etc/systemd/system/gatehouse.service': unit('/srv/x/dist/gatehouse.js'), ...settings },
      {},
      {},
    ],
  ] as [string, Record<string, string>, { env?: Env; envFile?: string; isService?: boolean }, Env][]) {
    it(what, () => {
      const { env, problems } = find(files, request);
      assert.deepEqual(problems, []);
      assert.deepEqual({ ...env }, expected);
    });
  }

  it('say which file and line each value has come from', () => {
    const { origins, files } = find({ ...installed, ...settings, ...dotEnvOfService });
    assert.deepEqual(origins, {
      PUBLIC_URL: '/etc/gatehouse/env:1',
      PORT: '/etc/gatehouse/env:2',
      DATA_DIR: '/etc/systemd/system/gatehouse.service',
      HOST: '/opt/gatehouse/.env',
    });
    assert.deepEqual(files, ['/etc/gatehouse/env', '/etc/systemd/system/gatehouse.service', '/opt/gatehouse/.env']);
  });

  for (const [what, files, request, name, trouble] of [
    [
      'a file that this user may not read',
      { ...installed, '/etc/gatehouse/env': 'forbidden' },
      {},
      '/etc/gatehouse/env',
      /this user may not read it/,
    ],
    ['a file .env that this user may not read', { '.env': 'forbidden' }, {}, '.env', /this user may not read it/],
    ['a file of the unit that is missing', installed, {}, '/etc/gatehouse/env', /does not exist/],
    ['a named file that is missing', {}, { envFile: 'x' }, 'x', /does not exist/],
    ['a named file without settings', { x: '# PORT=1\n' }, { envFile: 'x' }, 'x', /^sets nothing$/],
    [
      'a line that sets nothing',
      { x: 'A=1\nDATABASE_URL postgres://u:hunter2@h/n' },
      { envFile: 'x' },
      'Line 2 of x',
      /^sets nothing$/,
    ],
  ] as [string, Record<string, string>, object, string, RegExp][]) {
    it(`have a problem: ${what}`, () => {
      const [problem, ...others] = find(files, request).problems;
      assert.deepEqual(others, []);
      assert.equal(problem?.name, name);
      assert.match(problem.trouble, trouble);
      assert.ok(problem.cure !== '' && !JSON.stringify(problem).includes('hunter2'));
    });
  }

  it('come with a warning if a unit runs another copy of the program', () => {
    const { warnings } = find({
      '/etc/systemd/system/gatehouse.service': unit('/srv/x/dist/gatehouse.js'),
      ...settings,
    });
    assert.match(warnings.join(), /add --env-file \/etc\/gatehouse\/env/);
  });

  it('an optional file of the unit may be missing', () => {
    const text = unit('/opt/gatehouse/dist/gatehouse.js').replace('=/etc/g', '=-/etc/g');
    assert.deepEqual(find({ '/etc/systemd/system/gatehouse.service': text }).problems, []);
  });
});
