// Opens the port of the service, alone or together with other workers, and explains errors.
import { lookup } from 'node:dns/promises';
import type { Server } from 'node:http';
import { createServer } from 'node:net';
import { platform } from 'node:process';
import type { Config } from '../../config/config.ts';
import type { Service } from '../../service/service.ts';
import { CommandError } from '../command-error.ts';

type Listen = Config['listen'];

/** The state of the port of /metrics. With several workers the primary process serves it. */
export type MetricsState = 'served' | 'taken' | 'off';

export async function listenOn(server: Server, { listen }: Config): Promise<void> {
  const { host, port } = listen;
  const [first = host, ...others] = await addressesOf(host);
  const reusePort = sharesPort(listen);
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(listenError(listen, error));
    server.once('error', fail);
    server.listen({ host: first, port, reusePort }, () => {
      server.off('error', fail);
      resolve();
    });
  });
  for (const other of others) listenBeside(server, { host: other, port, reusePort });
}

/** A browser may use either address of localhost. */
async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host];
  const found = await lookup(host, { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}

/** The second address is optional. */
function listenBeside(server: Server, place: { host: string; port: number; reusePort: boolean }): void {
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
  second.on('error', () => undefined);
  second.listen(place);
  server.once('close', () => second.close());
}

export async function serveMetrics({ listen }: Config, service: Service): Promise<MetricsState> {
  const { host, metricsPort, workers } = listen;
  if (metricsPort === undefined) return 'off';
  if (workers > 1 || (await service.metrics.listen(host, metricsPort))) return 'served';
  service.log.warn('metrics port is taken', { port: metricsPort, cure: 'set METRICS_PORT to a free port, or off' });
  return 'taken';
}

/** Workers share the port, and would share it with another program too: makes sure before they start that it is free. */
export async function claimPort({ listen }: Config): Promise<void> {
  const { host, port } = listen;
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', (error: NodeJS.ErrnoException) => reject(listenError(listen, error)));
    probe.listen({ host, port }, () => probe.close(() => resolve()));
  });
}

/** On Linux each worker has its own queue, so that no connection is lost when another worker stops. Elsewhere the primary process distributes connections. */
function sharesPort({ workers }: Listen): boolean {
  return workers > 1 && platform === 'linux';
}

export function listenError({ host, port }: Listen, { code = '', message }: NodeJS.ErrnoException): CommandError {
  const [exitCode, cure] = {
    EADDRINUSE: [
      1,
      `Port ${port} is in use. Stop the other program, or choose another: PORT=${port + 1} npm start`,
    ] as const,
    EADDRNOTAVAIL: [78, `HOST=${host} is not an address of this machine. ${hostCure}`] as const,
    ENOTFOUND: [78, `HOST=${host} cannot be resolved. ${hostCure}`] as const,
    EAI_AGAIN: [78, `HOST=${host} cannot be resolved. ${hostCure}`] as const,
    EACCES: [78, `This user may not listen on port ${port}. Choose a port above 1023: PORT=8080 npm start`] as const,
  }[code] ?? [1, message];
  return new CommandError(`Cannot listen on ${host}:${port}. ${cure}`, exitCode);
}

const hostCure = 'Set HOST to 127.0.0.1 for this machine only, or to 0.0.0.0 for all its addresses.';
