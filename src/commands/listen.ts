// Opens the service's port, alone or together with other workers, and says what to do when that cannot be.
import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { platform } from 'node:process';
import type { App } from '../app/app.ts';
import type { Config } from '../config/config.ts';
import { endWith } from './give-up.ts';

type Listen = Config['listen'];

/** What became of the port of /metrics. Of several workers the first process serves it. */
export type MetricsState = 'served' | 'taken' | 'off';

export async function listenOn(server: Server, { listen }: Config): Promise<void> {
  const { host, port } = listen;
  const [first = host, ...others] = await addressesOf(host);
  const reusePort = sharesPort(listen);
  await new Promise<void>((resolve) => {
    const fail = (error: NodeJS.ErrnoException) => giveUp(listen, error);
    server.once('error', fail);
    server.listen({ host: first, port, reusePort }, () => {
      server.off('error', fail);
      resolve();
    });
  });
  for (const other of others) listenBeside(server, { host: other, port, reusePort });
}

/** A browser may take either address of localhost. */
async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** Where the second address is not to be had, the first will do. */
function listenBeside(server: Server, place: { host: string; port: number; reusePort: boolean }): void {
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  second.on('error', () => undefined);
  second.listen(place);
  server.once('close', () => second.close());
}

export async function serveMetrics({ listen }: Config, app: App): Promise<MetricsState> {
  const { host, metricsPort, workers } = listen;
  if (metricsPort === undefined) return 'off';
  if (workers > 1 || (await app.metrics.listen(host, metricsPort))) return 'served';
  app.log.warn('metrics port is taken', { port: metricsPort, cure: 'set METRICS_PORT to a free port, or off' });
  return 'taken';
}

/** Workers that share a port would share it with a stranger too: looks whether somebody is there before they start. */
export async function claimPort({ listen }: Config): Promise<void> {
  const { host, port } = listen;
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.once('error', (error: NodeJS.ErrnoException) => giveUp(listen, error));
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}

/** With a queue for each worker none is lost when another stops. Elsewhere the first process hands connections out. */
function sharesPort({ workers }: Listen): boolean {
  return workers > 1 && platform === 'linux';
}

function giveUp({ host, port }: Listen, { code = '', message }: NodeJS.ErrnoException): never {
  const [exitCode, cure] = {
    EADDRINUSE: [
      1,
      `Port ${port} is in use. Stop the other program, or choose another: PORT=${port + 1} npm start`,
    ] as const,
    EADDRNOTAVAIL: [78, `HOST=${host} is no address of this machine. ${hostCure}`] as const,
    ENOTFOUND: [78, `HOST=${host} is not known. ${hostCure}`] as const,
    EAI_AGAIN: [78, `HOST=${host} is not known. ${hostCure}`] as const,
    EACCES: [78, `This user may not listen on port ${port}. Choose one above 1023: PORT=8080 npm start`] as const,
  }[code] ?? [1, message];
  endWith(exitCode, `Gatehouse cannot listen on ${host}:${port}. ${cure}`);
}

const hostCure = 'Set HOST to 127.0.0.1 for this machine alone, or to 0.0.0.0 for all its addresses.';
