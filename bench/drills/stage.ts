// Everything that a drill needs: three nodes on their default settings, and around them every part on which they depend.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type S3Server, startS3Server } from '../../test/helpers/blobs/s3-server.ts';
import { freePort } from '../../test/helpers/databases/postgres-server.ts';
import { type Haproxy, startHaproxy } from '../../test/helpers/proxies/haproxy.ts';
import { captchaMint } from '../../test/helpers/requests/captcha-tokens.ts';
import {
  type GatehouseProcess,
  spawnCommand,
  spawnGatehouse,
  type TestEnv,
} from '../../test/helpers/services/gatehouse.ts';
import { waitUntil } from '../../test/helpers/wait-until.ts';
import { type Database, openDatabase } from './database.ts';
import { type FakeTime, openFakeTime } from './fake-time.ts';
import { type Link, openLink } from './link.ts';
import { type MailServer, openMailServer } from './mail-server.ts';
import { type People, writePeople } from './people.ts';
import { openPhones, type Phones } from './phones.ts';
import { openSmsProvider, type SmsProvider } from './sms-provider.ts';
import type { Undo } from './undo.ts';

export type StageNode = {
  readonly env: TestEnv;
  readonly port: number;
  readonly metricsPort: number;
  /** From HAProxy to the node. */
  readonly link: Link;
  process: GatehouseProcess;
  /** Starts it again after its process has ended. Resolves when HAProxy uses it. */
  start(): Promise<void>;
};

export type Stage = {
  readonly folder: string;
  readonly nodes: readonly StageNode[];
  readonly haproxy: Haproxy & { readonly port: number };
  readonly database: Database;
  readonly phones: Phones;
  readonly people: People;
  readonly smsA: SmsProvider;
  readonly smsB: SmsProvider;
  readonly links: { readonly smsA: Link; readonly smtp: Link; readonly s3: Link };
  readonly mail: MailServer;
  readonly s3: S3Server;
  readonly captcha: () => string;
  /** The clock of the first node. */
  readonly time: FakeTime;
};

export const host = 'id.drills.example';
const nodeCount = 3;
const secret = 'the-secret-of-the-drills-7g5w2k9x4q';

type StageOptions = {
  /** Settings that differ from the defaults. */
  readonly settings?: TestEnv;
  /** A folder for the data of the primary, on a disk of its own. */
  readonly data?: string;
};

export async function openStage(undo: Undo, { data, settings = {} }: StageOptions = {}): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-drills-'));
  undo(() => rmSync(folder, { recursive: true, force: true }));
  const phones = openPhones();
  const smsA = await openSmsProvider('A', phones);
  const smsB = await openSmsProvider('B', phones);
  const mail = await openMailServer(phones);
  for (const server of [smsA, smsB, mail]) undo(server.close);
  const s3 = await startS3Server();
  undo(s3.stop);
  const linkTo = async (port: number) => {
    const link = await openLink(port);
    undo(link.close);
    return link;
  };
  const s3Url = new URL(s3.url());
  const links = { smsA: await linkTo(smsA.port), smtp: await linkTo(mail.port), s3: await linkTo(Number(s3Url.port)) };
  s3Url.port = String(links.s3.port);
  const database = await openDatabase(undo, nodeCount, data);
  const time = openFakeTime(folder);
  const port = await freePort();
  const envOf = (index: number, own: { port: number; metricsPort: number }): TestEnv => ({
    // What every installation sets.
    PUBLIC_URL: `https://${host}`,
    SECRET: secret,
    DATABASE_URL: database.urlFor(index),
    STORAGE_URL: s3Url.href,
    SMS_URL: `webhook+http://127.0.0.1:${links.smsA.port}/sms webhook+http://127.0.0.1:${smsB.port}/sms`,
    MAIL_URL: `smtp://drills:password@127.0.0.1:${links.smtp.port}`,
    MAIL_FROM: 'Drills <drills@drills.example>',
    TRUSTED_PROXIES: '127.0.0.1',
    // Three nodes share this machine.
    DATA_DIR: join(folder, `node${index}`),
    PORT: String(own.port),
    METRICS_PORT: String(own.metricsPort),
    ...(index === 0 && time.env),
    ...settings,
  });
  const nodes: StageNode[] = [];
  const ports: string[] = [];
  for (let index = 0; index < nodeCount; index++) {
    const own = { port: await freePort(), metricsPort: await freePort() };
    const link = await linkTo(own.port);
    ports.push(String(link.port));
    const env = envOf(index, own);
    const node: StageNode = {
      ...own,
      env,
      link,
      process: await spawnGatehouse(env),
      start: async () => {
        node.process = await spawnGatehouse(env);
        await waitUntil('HAProxy uses the node', async () => (await haproxy.serving()).includes(index));
      },
    };
    nodes.push(node);
    undo(() => endNode(node));
  }
  const haproxy = await startHaproxy(ports, port);
  undo(haproxy.stop);
  await waitUntil('HAProxy uses all nodes', async () => (await haproxy.serving()).length === nodeCount);
  const people = writePeople(join(folder, 'people.jsonl'));
  await importUsers(people.file, nodes[0]?.env ?? {});
  const captcha = captchaMint(secret);
  return {
    folder,
    nodes,
    haproxy: { ...haproxy, port },
    database,
    phones,
    people,
    smsA,
    smsB,
    links,
    mail,
    s3,
    captcha,
    time,
  };
}

/** A process that is stopped by SIGSTOP ends by SIGKILL too. */
function endNode(node: StageNode): Promise<unknown> {
  return node.process.stop('SIGKILL');
}

async function importUsers(file: string, env: TestEnv): Promise<void> {
  const { ended, output } = spawnCommand(['import', 'users', '--from', 'jsonl', file], env);
  if ((await ended) !== 0) throw new Error(`the users could not be imported: ${output().stdout}${output().stderr}`);
}
