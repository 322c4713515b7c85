// The page of a tab: nothing but the client, bundled as an app would; and a server of another origin for it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';

export const tabHtml = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/tab.js"></script>';

export const clientSource = {
  module: './create-gatehouse.ts',
  folder: new URL('../../../client/src', import.meta.url).pathname,
};

/** From the source, or from a project with the package installed. */
export async function bundleTabScript({ module, folder: resolveDir } = clientSource): Promise<string> {
  const contents = `
    import { browserStorage, createGatehouse } from '${module}';
    Object.assign(globalThis, { openGatehouse: createGatehouse, browserStore: browserStorage });`;
  const { outputFiles } = await build({ stdin: { contents, resolveDir }, bundle: true, format: 'esm', write: false });
  return outputFiles[0]?.text ?? assert.fail();
}

/** A page that is only routed would count as public, and public pages may not reach this machine. */
export async function startPageServer(): Promise<{ readonly origin: string; close(): void }> {
  const script = await bundleTabScript();
  const server = createServer((request, response) => {
    const isScript = request.url === '/tab.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.end(isScript ? script : tabHtml);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
