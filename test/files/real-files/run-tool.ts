// Runs the programs that other people read these formats with, a few at a time.
import { type ExecFileOptionsWithBufferEncoding, execFile, spawnSync } from 'node:child_process';

export type ToolResult = { readonly code: number; readonly out: Buffer; readonly complaint: string };

const seconds = 60;

/** Missing programs, by the name of the package that has them. */
export function missingPrograms(wanted: Readonly<Record<string, string>>): string[] {
  return Object.entries(wanted)
    .filter(([program]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
    .map(([, from]) => from);
}

/** Never throws: a program that is killed, or takes longer than a minute, has code 255. */
export function runTool(
  program: string,
  args: readonly string[],
  { input, ...options }: Partial<ExecFileOptionsWithBufferEncoding> & { readonly input?: string } = {},
): Promise<ToolResult> {
  return new Promise((resolve) => {
    const settings = { timeout: seconds * 1000, maxBuffer: 2 ** 28, ...options, encoding: 'buffer' as const };
    const child = execFile(program, [...args], settings, (error, out, complaint) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 255;
      resolve({ code, out, complaint: complaint.toString('utf8').trim() });
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input ?? '');
  });
}

/** The results in the order of the inputs. */
export async function eachOf<Input, Output>(
  inputs: readonly Input[],
  atOnce: number,
  work: (input: Input) => Promise<Output>,
): Promise<Output[]> {
  const results: Output[] = [];
  const waiting = inputs.entries();
  const take = async () => {
    for (const [index, input] of waiting) results[index] = await work(input);
  };
  await Promise.all(Array.from({ length: atOnce }, take));
  return results;
}

/** Lists of at most that many. */
export function batchesOf<Item>(items: readonly Item[], most: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  );
}
