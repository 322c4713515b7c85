// A service with a list of apps, for tests with clients that nobody here wrote. It runs by the real clock, as the clients do.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type Gatehouse, isolatedEnv, startGatehouse, type TestEnv } from '../../../helpers/services/gatehouse.ts';

/** An app as operators write it into APPS_FILE. */
export type ListedApp = {
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly logoutUris?: readonly string[];
  readonly secretHash?: string;
  readonly scopes?: readonly string[];
  readonly firstParty: boolean;
};

type AppStage = { readonly issuer: string };

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** The file, and how to remove it. */
export function writeApps(apps: readonly ListedApp[]): { path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-apps-'));
  const path = join(folder, 'apps.json');
  writeFileSync(path, JSON.stringify(apps));
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

/** Apps whose addresses are known only when the block starts are given as a function. */
export function setAppStage(listApps: () => readonly ListedApp[], env: TestEnv = {}): AppStage {
  let ready: { service: Gatehouse; issuer: string; end(): Promise<void> } | undefined;
  before(async () => {
    const file = writeApps(listApps());
    const isolated = await isolatedEnv('sqlite', { ...env, APPS_FILE: file.path }, 'migrated');
    const service = await startGatehouse(isolated.env);
    const end = async () => {
      await service.stop();
      await isolated.dispose();
      file.remove();
    };
    ready = { service, issuer: `http://localhost:${isolated.env.PORT}`, end };
  });
  after(() => ready?.end());
  return {
    get issuer() {
      return ready?.issuer ?? assert.fail('the service is not up');
    },
  };
}
