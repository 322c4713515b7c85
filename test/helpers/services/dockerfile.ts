// The instructions of the Dockerfile, stage by stage, for tests that follow it without a container engine.
import { readFileSync } from 'node:fs';

export const root = new URL('../../../', import.meta.url).pathname;

export type Instruction = { readonly name: string; readonly rest: string };

/** The instructions of each stage, in order, without comments and line ends within an instruction. */
export function readDockerfile(): Instruction[][] {
  const text = readFileSync(`${root}deploy/Dockerfile`, 'utf8')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, ' ');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, rest });
  }
  return stages;
}

export function valuesOf(stage: readonly Instruction[], name: string): string[] {
  return stage.filter((instruction) => instruction.name === name).map(({ rest }) => rest);
}

/** The copies from the stage before it: path there and target. */
export function takenBy(stage: readonly Instruction[]): { path: string; target: string }[] {
  return valuesOf(stage, 'COPY')
    .filter((rest) => rest.startsWith('--from'))
    .map((rest) => {
      const [, path = '', target = ''] = rest.split(' ');
      return { path: path.replace('/app/', ''), target };
    });
}

/** The copies from the project: sources and target. */
export function copiesOf(stage: readonly Instruction[]): { sources: string[]; target: string }[] {
  return valuesOf(stage, 'COPY')
    .filter((rest) => !rest.startsWith('--from'))
    .map((rest) => {
      const words = rest.split(' ');
      return { sources: words.slice(0, -1), target: words.at(-1) ?? '' };
    });
}
