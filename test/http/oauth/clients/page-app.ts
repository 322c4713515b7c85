// An app that is nothing but a page on an origin of its own: oidc-client-ts does all of its OpenID Connect.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';
import type { UserManager } from 'oidc-client-ts';
import type { ListedApp } from './app-stage.ts';

declare global {
  /** In the page. */
  var app: UserManager;
}

type PageApp = { readonly origin: string; readonly listed: ListedApp; close(): void };

const source = `
  import { UserManager } from 'oidc-client-ts';
  globalThis.app = new UserManager({
    ...globalThis.settings,
    redirect_uri: location.origin + '/callback',
    post_logout_redirect_uri: location.origin + '/goodbye',
    scope: 'openid phone',
    loadUserInfo: true,
    automaticSilentRenew: false,
  });
  const show = (text) => { document.body.textContent = text; };
  if (location.pathname === '/callback') {
    app.signinCallback().then(({ profile }) => show('Hello ' + profile.phone_number), (error) => show(String(error)));
  } else show('Nobody');`;

/** The service must be known when the page is first opened. */
export async function startPageApp(id: string, issuer: () => string): Promise<PageApp> {
  const resolveDir = new URL('.', import.meta.url).pathname;
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const script = outputFiles[0]?.text ?? assert.fail();
  const server: Server = createServer((request, response) => {
    const isScript = request.url === '/app.js';
    const settings = JSON.stringify({ authority: issuer(), client_id: id });
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript
        ? script
        : `<!doctype html><link rel="icon" href="data:,"><script>settings = ${settings}</script><body><script type="module" src="/app.js"></script>`,
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    listed: {
      id,
      name: `The ${id}`,
      redirectUris: [`${origin}/callback`],
      logoutUris: [`${origin}/goodbye`],
      firstParty: true,
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
