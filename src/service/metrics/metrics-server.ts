// The HTTP server of /metrics. It serves no other path.
import { createServer } from 'node:http';

const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

export type MetricsServer = {
  /** Returns false if the port is in use. */
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
