// A stage for tests of the client: a real service, a fetch that keeps a list of what went over the wire, and users who sign in.
import { createGatehouse, type GatehouseOptions } from '../../client/src/create-gatehouse.ts';
import { newPhone, readCode } from '../support/api.ts';
import { isolatedEnv, type Gatehouse as Service, startGatehouse, type TestEnv } from '../support/gatehouse.ts';

export type Stage = { readonly service: Service; readonly url: string; end(): Promise<void> };

export async function openStage(env: TestEnv = {}): Promise<Stage> {
  const isolated = await isolatedEnv('sqlite', env);
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

/** Runs in the place of fetch; what it throws or gives, the client gets. `pass` does the real thing. */
export type Meddle = (line: string, pass: () => Promise<Response>) => Promise<Response>;

/** A client whose exchanges can be counted and disturbed. A line is `GET /api/auth/me`. */
export function createClient(url: string, options: GatehouseOptions = {}, meddle: Meddle = (_line, pass) => pass()) {
  const lines: string[] = [];
  const meddled: typeof fetch = (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    const line = `${init?.method ?? 'GET'} ${new URL(address).pathname}`;
    lines.push(line);
    return meddle(line, () => fetch(input, init));
  };
  const gatehouse = createGatehouse({ url, fetch: meddled, ...options });
  return { gatehouse, lines, count: (line: string) => lines.filter((other) => other === line).length };
}

/** A client with a new user signed in. */
export async function createSignedIn(url: string, options: GatehouseOptions = {}, meddle?: Meddle) {
  const client = createClient(url, options, meddle);
  const phone = newPhone();
  await client.gatehouse.phone.sendCode(phone);
  await client.gatehouse.phone.signIn(phone, await readCode(url, phone));
  return { ...client, phone, url };
}
