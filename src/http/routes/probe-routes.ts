// Health probes, public keys and the OpenAPI document. Their answers have no envelope.
import type { KeyRing } from '../../auth/tokens/key-ring.ts';
import { refusedDatabase } from '../../kernel/net/database-problem.ts';
import { jsonType } from '../interface/envelope.ts';
import { createOpenApi } from '../interface/openapi.ts';
import { paths } from '../interface/paths.ts';
import type { RouteLine } from '../interface/route-line.ts';
import { plainLines } from '../plain-lines.ts';
import type { Handler } from '../server/request.ts';
import type { Routes } from '../server/server.ts';

export type ProbeParts = {
  readonly keyRing: Pick<KeyRing, 'jwks'>;
  readonly table: readonly RouteLine[];
  readonly publicUrl: string;
  readonly isStopping: () => boolean;
  /** Sends a query to the store; throws if the store does not answer. */
  readonly askStore: () => Promise<void>;
};

export function registerProbeRoutes(server: Routes, parts: ProbeParts): void {
  const rules = { isUnlimited: true };
  const sayLive: Handler = (_request, reply) => reply.type('text/plain; charset=utf-8').send('ok\n');
  server.add({ method: 'GET', path: paths.live, rules, handle: sayLive });
  const sayReady: Handler = async (request, reply) => {
    reply.type('text/plain; charset=utf-8');
    if (parts.isStopping()) {
      request.failureCause = new Error('the service is stopping');
      return reply.code(503).header('retry-after', '1').send('stopping\n');
    }
    try {
      await parts.askStore();
      return reply.send('ok\n');
    } catch (error) {
      request.failureCause = error instanceof Error ? (error.cause ?? error) : undefined;
      const why = refusedDatabase(error);
      return reply
        .code(503)
        .header('retry-after', '1')
        .send(`store unavailable${why === undefined ? '' : `: ${why}`}\n`);
    }
  };
  server.add({ method: 'GET', path: paths.ready, rules, handle: sayReady });
  server.get(paths.jwks, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=600')
      .header('cross-origin-resource-policy', 'cross-origin')
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(parts.keyRing.jwks())),
  );
  let document: string | undefined;
  server.get('/openapi.json', (_request, reply) => {
    document ??= JSON.stringify(createOpenApi(parts.table, parts.publicUrl, plainLines));
    return reply.header('cache-control', 'no-cache').type(jsonType).send(document);
  });
}
