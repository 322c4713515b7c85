// The check of the doctor that looks at the apps. Problems of APPS_FILE are among those of the settings.
import { statSync } from 'node:fs';
import type { App } from '../../apps/clients/app.ts';
import { appsFileSetting } from '../load-config.ts';
import { countOf } from '../write-text.ts';
import { doubtful, type Finding, good } from './finding.ts';

export function examineApps(apps: readonly App[]): Finding[] {
  const path = appsFileSetting();
  const mode = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false })?.mode;
  return judgeApps(apps, mode ?? 0);
}

export function judgeApps(apps: readonly App[], fileMode: number): Finding[] {
  const names = new Set(apps.map(({ name }) => name));
  const findings: Finding[] = [];
  if ((fileMode & 0o002) !== 0)
    findings.push(
      doubtful(
        'apps',
        'everybody on this machine may change the file of APPS_FILE, and so add apps',
        'run chmod o-w on it',
      ),
    );
  for (const name of names) {
    const ids = apps.filter((app) => app.name === name).map(({ id }) => id);
    if (ids.length > 1)
      findings.push(
        doubtful(
          'apps',
          `${ids.join(' and ')} have the same name “${name}”: users cannot tell them apart`,
          'change a name',
        ),
      );
  }
  return [good('apps', describe(apps)), ...findings];
}

function describe(apps: readonly App[]): string {
  if (apps.length === 0) return 'none; no other app signs users in here';
  const secrets = apps.filter(({ secretHash }) => secretHash !== undefined).length;
  const others = apps.filter(({ isFirstParty }) => !isFirstParty).length;
  return `${countOf(apps.length, 'app')}: ${secrets} with a secret, ${apps.length - secrets} public; ${others} of others`;
}
