// The port of /metrics: a text for whoever may reach it, and nothing else.
import { createServer } from 'node:http';

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

export type MetricsServer = {
  /** False when the port is taken. */
  listen(host: string, port: number): Promise<boolean>;
  close(): Promise<void>;
};

export function createMetricsServer(write: () => Promise<string>): MetricsServer {
  const server = createServer(async (request, response) => {
    if (request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await write();
      response.writeHead(200, { 'content-type': metricsType }).end(text);
    } catch {
      response.writeHead(503).end();
    }
  });
  return {
    listen: (host, port) =>
      new Promise((resolve) => {
        server.once('error', () => resolve(false));
        server.listen({ host, port, exclusive: true }, () => resolve(true));
      }),
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
