// Finds the files of the program: in a folder of dist/ after a build, in the source tree otherwise.
import { readFileSync } from 'node:fs';

/** The entry points of all processes and threads. The build bundles each into `<name>.js`. */
export const entryPoints = {
  'begin-process': 'src/kernel/process/begin-process.js',
  'thread-prologue': 'src/kernel/process/thread-prologue.js',
  main: 'src/commands/main.ts',
  'sqlite-thread': 'src/store/sqlite/sqlite-thread.ts',
  'delivery-thread': 'src/service/delivery-thread.ts',
  'examiner-thread': 'src/adapters/examiner/examiner-thread.ts',
  'writer-thread': 'src/adapters/disk/writer-thread.ts',
  'resizer-process': 'src/adapters/variants/resizer-process.ts',
} as const;

export type ThreadName = Extract<keyof typeof entryPoints, `${string}-thread`>;

/** A file of the program is missing or damaged. The message names the remedy. */
export class ProgramFileError extends Error {}

/** The build writes JavaScript into one folder. The sources are TypeScript. */
const isBuilt = import.meta.url.endsWith('.js');
/** A build lies in `dist/<build>/`. */
const root = new URL(isBuilt ? '../../' : '../../../', import.meta.url);

/** A file of the project that every installation includes, such as the README. */
export function projectFile(path: string): URL {
  return new URL(path, root);
}

export function threadUrl(name: ThreadName): URL {
  return entryUrl(name);
}

/** The entry of a thread or of another process. */
export function entryUrl(name: keyof typeof entryPoints): URL {
  return isBuilt ? new URL(`${name}.js`, import.meta.url) : projectFile(entryPoints[name]);
}

/** The web pages exist only after a build. A program that runs from its sources serves the pages of the last build. */
export function pagesFile(name: 'pages.json' | 'docs/'): URL {
  return isBuilt ? new URL(name, import.meta.url) : new URL(`${currentBuild()}/${name}`, projectFile('dist/'));
}

function currentBuild(): string {
  try {
    return (JSON.parse(readFileSync(projectFile('dist/current.json'), 'utf8')) as { build: string }).build;
  } catch (cause) {
    throw new ProgramFileError('There is no build in dist/. Run npm run build.', { cause });
  }
}
