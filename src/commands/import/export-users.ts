// The command `export users`: writes all users as JSONL, to stdout or to a new file that only its owner can read.
import { open, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { exportUsers as exportAll } from '../../backend/export-users.ts';
import { cleanReason } from '../../kernel/audit.ts';
import { escapeAllButLines } from '../../kernel/text/plain-text.ts';
import { CommandError } from '../command-error.ts';
import type { Command } from '../declarations.ts';
import { startProgress } from '../progress.ts';
import { printInTurn } from '../terminal.ts';
import { countOf } from '../write-text.ts';

export const exportUsers: Command<'export users'> = async (context, { to, reason }) => {
  const by = { actor: 'cli', why: cleanReason(reason ?? '') } as const;
  const { exports, audit, clock } = await context.open();
  const out = to === undefined ? toStdout : await createPart(resolve(to));
  const progress = startProgress('Export');
  let done = 0;
  try {
    for await (const lines of exportAll({ exports, audit, clock }, by)) {
      await out.write(`${lines.join('\n')}\n`);
      done += lines.length;
      progress.report({ done, total: done, bytes: 0, what: 'users' });
    }
    await out.end();
  } catch (error) {
    await out.abandon();
    throw error;
  } finally {
    progress.end();
  }
  context.say(`${countOf(done, 'user')} exported${to === undefined ? '' : ` to ${to}`}.`);
  return 0;
};

type Output = { write(text: string): Promise<void>; end(): Promise<void>; abandon(): Promise<void> };

const toStdout: Output = { write: printInTurn, end: async () => undefined, abandon: async () => undefined };

/**
 * The file gets its name when it is whole. A part of it would look like an export of fewer users. The part is a
 * new file: in a file of somebody else, that person could read all users.
 */
async function createPart(path: string): Promise<Output> {
  const refuse = (cause: string): never => {
    throw new CommandError(`--to cannot be ${path}: ${cause}. Name a new file.`);
  };
  const part = `${path}.part`;
  const refuseExisting = async () => {
    if ((await stat(path).catch(() => undefined)) !== undefined) refuse('it exists');
  };
  await refuseExisting();
  const file = await open(part, 'wx', 0o600).catch(({ code, message }: NodeJS.ErrnoException) =>
    refuse(code === 'EEXIST' ? `${part} exists: another export is writing it, or was killed` : message),
  );
  const report = (error: Error): never => {
    throw new CommandError(`The export cannot be written: ${error.message}. Nothing is left of it.`);
  };
  return {
    // Not file.write(), which stops without an error when only a part of the text fits on the disk.
    write: (text) => file.appendFile(escapeAllButLines(text)).catch(report),
    end: async () => {
      await file.sync().catch(report);
      await file.close();
      await refuseExisting();
      await rename(part, path);
    },
    abandon: async () => {
      await file.close();
      await rm(part, { force: true });
    },
  };
}
