// What a verb of the command line works with: settings, store, secrets and files, each opened at first use, and its ways to talk.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { chooseBlobs } from '../app/choose-blobs.ts';
import type { Config } from '../config/config.ts';
import { loadSecrets } from '../config/service-secret.ts';
import type { BlobStore } from '../files/blob-store.ts';
import type { Act } from '../kernel/audit.ts';
import { escapeControls } from '../kernel/plain-text.ts';
import { createSecrets, type Secrets } from '../kernel/secrets.ts';
import type { OpenedStore } from '../store/open-store.ts';
import { createOperatorPorts, createPorts, type OperatorPorts, type Ports } from '../store/ports.ts';
import { cleanReason } from '../support/admin.ts';
import { CommandError } from './command-error.ts';
import { loadConfig } from './load-config.ts';
import { openMigrated } from './open-migrated.ts';
import { print, tell } from './terminal.ts';

export type VerbOptions = {
  readonly json?: true;
  readonly reveal?: true;
  readonly yes?: true;
  readonly follow?: true;
  readonly now?: true;
  readonly reason?: string;
  readonly limit?: string;
  readonly since?: string;
  readonly to?: string;
  readonly user?: string;
  readonly kind?: string;
  readonly url?: string;
  readonly files?: string;
  readonly name?: string;
  readonly life?: string;
};

export type OperatorStore = Ports & OperatorPorts & Pick<OpenedStore, 'clock'>;

export type OperatorContext = ReturnType<typeof createOperatorContext>;

/** A verb prints through the desk; it may give another exit code than 0. */
export type Verb = (
  context: OperatorContext,
  args: readonly string[],
  options: VerbOptions,
) => Promise<number | undefined>;

export function createOperatorContext(options: VerbOptions) {
  let config: Config | undefined;
  let store: OpenedStore | undefined;
  const readSettings = () => {
    config ??= loadConfig();
    return config;
  };
  return {
    config: readSettings,
    open: async (): Promise<OperatorStore> => {
      store ??= await openMigrated(readSettings());
      return { ...createPorts(store), ...createOperatorPorts(store), clock: store.clock };
    },
    secrets: (): Secrets => {
      const { secret: given, dataDir } = readSettings();
      // A secret made here would not be the service's.
      if (given === undefined && !existsSync(join(dataDir, 'secret')))
        throw new CommandError(`There is no secret in ${dataDir}. Set SECRET or DATA_DIR as the service has it.`);
      const { secret, previousSecret } = loadSecrets(readSettings());
      return createSecrets(secret, previousSecret);
    },
    blobs: (): Promise<BlobStore> => chooseBlobs(readSettings()),
    /** Data goes to stdout: as JSON where that was asked for, else as text for people. */
    show: (data: unknown, text: string) => {
      print(options.json ? `${JSON.stringify(data)}\n` : text === '' ? '' : `${text}\n`);
    },
    /** Talk goes to stderr. */
    say: (text: string) => {
      tell(`${text}\n`);
    },
    /** Who acts, and why; everything that is done to others asks for it. */
    act: (): Act => {
      const why = cleanReason(options.reason ?? '');
      if (why === '') throw new CommandError('Say why, for the audit log: --reason "ticket 4711, phone lost"', 2);
      return { actor: 'cli', why };
    },
    confirm: async (question: string): Promise<void> => {
      if (options.yes) return;
      if (!process.stdin.isTTY)
        throw new CommandError(`${question} Nobody is at a terminal to confirm it: add --yes.`, 2);
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      const answer = await lines.question(`${escapeControls(question)} Type yes to go on: `);
      lines.close();
      if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was done.');
    },
    close: async (): Promise<void> => store?.close(),
  };
}
