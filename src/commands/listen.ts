// Opens the service's port, alone or together with other workers, and says what to do when that cannot be.
import { createServer } from 'node:net';
import { platform } from 'node:process';
import type { App } from '../app.ts';
import type { Config } from '../config/config.ts';
import { tell } from './terminal.ts';

type Listen = Config['listen'];

export async function listen({ listen }: Config, app: App): Promise<void> {
  const { host, port, metricsPort, workers } = listen;
  const place = { host, port, reusePort: sharesPort(listen) };
  try {
    await app.server.listen(place);
  } catch (error) {
    await app.end();
    giveUp(listen, error as NodeJS.ErrnoException);
  }
  // Of several workers the first process tells the figures.
  if (workers === 1 && metricsPort !== undefined && !(await app.metrics.listen(host, metricsPort))) {
    app.log.warn('metrics port is taken', { port: metricsPort, cure: 'set METRICS_PORT to a free port, or off' });
  }
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

function giveUp({ host, port }: Listen, { code, message }: NodeJS.ErrnoException): never {
  const cure =
    code === 'EADDRINUSE'
      ? `Port ${port} is in use. Stop the other program, or choose another: PORT=${port + 1} npm start`
      : message;
  tell(`Gatehouse cannot listen on ${host}:${port}. ${cure}\n`);
  process.exit(1);
}
