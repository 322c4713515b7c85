// A process that runs one command of the built program after the other. It loads the program once, which costs more than most commands.
import { pathToFileURL } from 'node:url';

export type Order = { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };
export type Report = { readonly code: number; readonly stdout: string; readonly stderr: string };

const [, script = '', program = ''] = process.argv;
const exit = process.exit.bind(process);
let run = 0;

process.on('disconnect', () => exit());
process.on('message', async (order: Order) => process.send?.(await obey(order)));

async function obey({ args, env }: Order): Promise<Report> {
  const seen = { stdout: '', stderr: '' };
  let code: number | undefined;
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].write = (text: string | Uint8Array) => {
      // A process that has ended prints nothing more.
      if (code === undefined) seen[name] += typeof text === 'string' ? text : Buffer.from(text).toString();
      return true;
    };
  }
  process.exit = (wanted) => {
    code ??= Number(wanted ?? process.exitCode ?? 0);
    throw new Error('the command has ended its process');
  };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv = [process.execPath, script, ...args];
  process.exitCode = undefined;
  run += 1;
  // The entry point runs the command when it is loaded. Everything that it imports is loaded once.
  await import(`${pathToFileURL(program)}?${run}`).catch(() => undefined);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error');
  return { code: code ?? Number(process.exitCode ?? 0), ...seen };
}
