// A service for one block of tests, started on a fresh database before it and removed after it; or two services on one database.
import { after, before, type TestContext } from 'node:test';
import type { Service, ServiceOptions } from '../../../src/service/service.ts';
import { freePort } from '../databases/postgres-server.ts';
import {
  createTestClock,
  type Gatehouse,
  type GatehouseProcess,
  isolatedEnv,
  type StoreKind,
  spawnGatehouse,
  startGatehouse,
  type TestClock,
  type TestEnv,
} from './gatehouse.ts';

export type Stage = {
  readonly url: string;
  readonly service: Service;
  readonly env: TestEnv;
  readonly clock: TestClock;
  /** Stops the service and starts it on the same data, with optional further settings. */
  restart(env?: TestEnv): Promise<void>;
};

/** Settings that are known only when the block starts are given as a function. */
type StageEnv = TestEnv | (() => TestEnv);

/** Runs in the test's process, with a clock that moves only when the test moves it. */
export function setStage(kind: StoreKind, wanted: StageEnv = {}, options: ServiceOptions = {}): Stage {
  const clock = createTestClock();
  let isolated: { env: TestEnv; dispose(): Promise<void> } | undefined;
  let running: Gatehouse | undefined;
  const up = () => running ?? fail();
  before(async () => {
    isolated = await isolatedEnv(kind, read(wanted), 'migrated');
    running = await startGatehouse(isolated.env, clock, options);
  });
  after(async () => {
    await running?.stop();
    await isolated?.dispose();
  });
  return {
    clock,
    get url() {
      return up().url;
    },
    get service() {
      return up().service;
    },
    get env() {
      return isolated?.env ?? fail();
    },
    restart: async (env = {}) => {
      await up().stop();
      running = await startGatehouse({ ...(isolated?.env ?? fail()), ...env }, clock, options);
    },
  };
}

type TwoNodes = { readonly urls: readonly [string, string]; readonly env: TestEnv };

/** Two processes on one database with the same public URL. */
export function setTwoNodes(kind: StoreKind, wanted: StageEnv = {}): TwoNodes {
  let isolated: { env: TestEnv; dispose(): Promise<void> } | undefined;
  const nodes: GatehouseProcess[] = [];
  before(async () => {
    isolated = await isolatedEnv(kind, read(wanted), 'migrated');
    const { env } = isolated;
    const shared = { PUBLIC_URL: `http://localhost:${env.PORT}`, ...env };
    const ports = [String(env.PORT), String(await freePort())];
    const starts = ports.map(async (PORT, index) => {
      nodes[index] = await spawnGatehouse({ ...shared, PORT });
    });
    // Both have ended their start before a failure of one is thrown, so that the other is stopped.
    await Promise.allSettled(starts);
    await Promise.all(starts);
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
    await isolated?.dispose();
  });
  return {
    get urls() {
      const [first, second] = nodes.map((node) => node.url);
      return [first ?? fail(), second ?? fail()] as const;
    },
    get env() {
      return isolated?.env ?? fail();
    },
  };
}

type Nodes = {
  readonly urls: readonly [string, string];
  /** The first of the two. */
  readonly service: Service;
  readonly clock: TestClock;
  readonly env: TestEnv;
};

/** Two nodes on one database in the test's process. The clock of the second is behind by the given time. Both end with the test. */
export async function startTwoNodes(
  context: TestContext,
  kind: StoreKind,
  behindSeconds = 0,
  { settings = {}, options = {} }: { settings?: TestEnv; options?: ServiceOptions } = {},
): Promise<Nodes> {
  const { env: own, dispose } = await isolatedEnv(kind, settings, 'migrated');
  const env: TestEnv = { PUBLIC_URL: `http://localhost:${own.PORT}`, ...own };
  const clock = createTestClock();
  const nodes: Gatehouse[] = [];
  context.after(async () => {
    await Promise.all(nodes.map((node) => node.stop()));
    await dispose();
  });
  const late = { ...clock, now: () => clock.now() - behindSeconds * 1000 };
  const node = await startGatehouse(env, clock, options);
  nodes.push(node);
  nodes.push(await startGatehouse({ ...env, PORT: String(await freePort()) }, late, options));
  const [first, second] = nodes.map((node) => node.url);
  return { urls: [first ?? fail(), second ?? fail()], service: node.service, clock, env };
}

function read(env: StageEnv): TestEnv {
  return typeof env === 'function' ? env() : env;
}

function fail(): never {
  throw new Error('the service is not up');
}
