// A stage for tests of the client: a real service, a fetch that records its requests, and users who sign in.
import { createGatehouse, type GatehouseOptions } from '../../../client/src/create-gatehouse.ts';
import { newPhone, readCode } from '../requests/api.ts';
import {
  isolatedEnv,
  type Gatehouse as Service,
  type StoreKind,
  startGatehouse,
  type TestEnv,
} from '../services/gatehouse.ts';

export type Stage = { readonly service: Service; readonly url: string; end(): Promise<void> };

export async function openStage(env: TestEnv = {}, kind: StoreKind = 'sqlite'): Promise<Stage> {
  const isolated = await isolatedEnv(kind, env, 'migrated');
  const service = await startGatehouse(isolated.env);
  return {
    service,
    url: service.url,
    end: async () => {
      await service.stop();
      await isolated.dispose();
    },
  };
}

/** The issuer of the tokens, as the service publishes it. */
export async function issuerOf(url: string): Promise<string> {
  const { servers } = (await (await fetch(`${url}/openapi.json`)).json()) as { servers: { url: string }[] };
  return servers[0]?.url ?? '';
}

/** Runs in place of fetch. The client gets what it throws or returns. `pass` sends the real request. */
export type Intercept = (line: string, pass: () => Promise<Response>) => Promise<Response>;

/** A client whose requests can be counted and changed. A line is `GET /api/auth/me`. */
export function createClient(
  url: string,
  options: GatehouseOptions = {},
  intercept: Intercept = (_line, pass) => pass(),
) {
  const lines: string[] = [];
  const intercepted: typeof fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const line = `${init?.method ?? 'GET'} ${new URL(address).pathname}`;
    lines.push(line);
    return intercept(line, () => fetch(input, init));
  };
  const gatehouse = createGatehouse({ url, fetch: intercepted, ...options });
  return { gatehouse, lines, count: (line: string) => lines.filter((other) => other === line).length };
}

/** A client with a new user signed in. */
export async function createSignedIn(url: string, options: GatehouseOptions = {}, intercept?: Intercept) {
  const client = createClient(url, options, intercept);
  const phone = newPhone();
  await client.gatehouse.phone.sendCode(phone);
  await client.gatehouse.phone.signIn(phone, await readCode(url, phone));
  return { ...client, phone, url };
}
