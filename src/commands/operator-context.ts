// What every command works with: settings, store, secrets and files, each opened at first use, and the ways to print.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config, ConfigResult } from '../config/config.ts';
import type { Environment } from '../config/effective-settings.ts';
import { loadSecrets } from '../config/service-secret.ts';
import type { BlobStore } from '../files/storage/blob-store.ts';
import { type Act, cleanReason } from '../kernel/audit.ts';
import { createSecrets, type Secrets } from '../kernel/crypto/secrets.ts';
import { escapeControls } from '../kernel/text/plain-text.ts';
import type { OpenedStore } from '../store/open-store.ts';
import type { OperatorPorts, Ports } from '../store/ports.ts';
import { CommandError } from './command-error.ts';
import type { FoundSettings } from './find-settings.ts';
import { describeProblems } from './load-config.ts';
import { print, tell } from './terminal.ts';

export type OperatorStore = Ports & OperatorPorts & Pick<OpenedStore, 'clock'>;

export type OperatorContext = ReturnType<typeof createOperatorContext>;

type ContextOptions = {
  readonly printsJson: boolean;
  /** Reads the files of the settings again. */
  readonly tryConfig: () => ConfigResult;
  readonly environment: Environment & Pick<FoundSettings, 'files'>;
};

export function createOperatorContext({ printsJson, tryConfig, environment }: ContextOptions) {
  let config: Config | undefined;
  let store: OpenedStore | undefined;
  const readSettings = () => {
    if (config !== undefined) return config;
    const result = tryConfig();
    if ('problems' in result) throw new CommandError(describeProblems(result.problems), 78);
    config = result.config;
    return config;
  };
  /** The store with all migrations applied. The context closes it. */
  const openStore = async (): Promise<OpenedStore> => {
    const { openMigrated } = await import('./open-migrated.ts');
    store ??= await openMigrated(readSettings());
    return store;
  };
  return {
    config: readSettings,
    /** For a command that says itself what is wrong with the settings. */
    tryConfig,
    /** The settings as they were found, and where each came from. */
    environment,
    openStore,
    /** The ports of the store. */
    open: async (): Promise<OperatorStore> => {
      const [opened, { createOperatorPorts, createPorts }] = await Promise.all([
        openStore(),
        import('../store/ports.ts'),
      ]);
      return { ...createPorts(opened), ...createOperatorPorts(opened), clock: opened.clock };
    },
    secrets: (): Secrets => {
      const { secret: ownSecret, dataDir } = readSettings();
      // A secret generated here would not be the secret of the service.
      if (ownSecret === undefined && !existsSync(join(dataDir, 'secret')))
        throw new CommandError(`There is no secret in ${dataDir}. Set SECRET or DATA_DIR as the service has it.`);
      const { secret, previousSecret } = loadSecrets(readSettings());
      return createSecrets(secret, previousSecret);
    },
    blobs: async (): Promise<BlobStore> => {
      const { chooseBlobs } = await import('../service/choose-blobs.ts');
      return chooseBlobs(readSettings());
    },
    /** Prints the result to stdout: data with --json, else text. */
    show: (data: unknown, text: string) => {
      print(printsJson ? `${JSON.stringify(data)}\n` : text === '' ? '' : `${text}\n`);
    },
    /** Prints remarks to stderr. */
    say: (text: string) => {
      tell(`${text}\n`);
    },
    /** Who acts, and why. Every command that acts on users or data of others needs a reason. */
    act: (reason: string | undefined): Act => {
      const why = cleanReason(reason ?? '');
      if (why === '') throw new CommandError('Give a reason for the audit log: --reason "ticket 4711, phone lost"', 2);
      return { actor: 'cli', why };
    },
    /** Asks unless --yes was given. */
    confirm: async (question: string, isConfirmed: boolean): Promise<void> => {
      if (isConfirmed) return;
      if (!process.stdin.isTTY)
        throw new CommandError(`${question} There is no terminal to confirm it on: add --yes.`, 2);
      const { createInterface } = await import('node:readline/promises');
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      const answer = await lines.question(`${escapeControls(question)} Type yes to continue: `);
      lines.close();
      if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.');
    },
    close: async (): Promise<void> => store?.close(),
  };
}
