// A real Apache with mod_auth_openidc of Debian, which protects its pages by a sign-in here.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { accepts } from '../../../helpers/proxies/nginx.ts';
import { waitUntil } from '../../../helpers/wait-until.ts';

const modules = '/usr/lib/apache2/modules';
/** Debian installs it in a folder that only the PATH of root contains. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export const hasModAuthOpenidc =
  spawnSync('apache2', ['-v'], { env }).status === 0 && existsSync(join(modules, 'mod_auth_openidc.so'));

type ApacheSettings = {
  readonly port: number;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

/** Pages below /private need a user. Those below /fresh also renew the access token with every request. */
export async function startApache(settings: ApacheSettings): Promise<{ stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-apache-'));
  chmodSync(folder, 0o755);
  for (const name of ['private', 'fresh']) {
    mkdirSync(join(folder, 'pages', name), { recursive: true });
    writeFileSync(join(folder, 'pages', name, 'page.html'), `the ${name} page`);
  }
  writeFileSync(join(folder, 'pages', 'goodbye.html'), 'goodbye');
  const log = join(folder, 'error.log');
  writeFileSync(join(folder, 'apache.conf'), configuration(folder, log, settings));
  const args = ['-d', folder, '-f', join(folder, 'apache.conf'), '-DFOREGROUND'];
  const child = spawn('apache2', args, { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await waitUntil('Apache starts', () => {
    if (child.exitCode !== null) assert.fail(`Apache does not start: ${readFileSync(log, 'utf8')}`);
    return accepts(settings.port);
  });
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

function configuration(folder: string, log: string, { port, issuer, clientId, clientSecret }: ApacheSettings): string {
  const wanted = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'env', 'headers', 'auth_openidc'];
  return `
${wanted.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
Listen 127.0.0.1:${port}
ServerName localhost
PidFile ${folder}/pid
Mutex file:${folder}
ErrorLog ${log}
${userInfo().uid === 0 ? 'User www-data\nGroup www-data' : ''}
DocumentRoot ${folder}/pages

OIDCProviderMetadataURL ${issuer}/.well-known/openid-configuration
OIDCClientID ${clientId}
OIDCClientSecret ${clientSecret}
OIDCRedirectURI http://localhost:${port}/private/callback
OIDCCryptoPassphrase a-secret-of-apache-alone
OIDCScope "openid phone"
OIDCPKCEMethod S256
OIDCInfoHook access_token refresh_token userinfo
<Location /private>
  AuthType openid-connect
  Require valid-user
  Header set X-Phone "%{OIDC_CLAIM_phone_number}e"
</Location>
<Location /fresh>
  AuthType openid-connect
  Require valid-user
  OIDCRefreshAccessTokenBeforeExpiry 86400
</Location>
`;
}
