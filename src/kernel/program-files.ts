// Where the files of the program are: in its folder of dist/ after a build, in the source tree otherwise.
import { readFileSync } from 'node:fs';

/** Every file that Node starts from. The build bundles each into `<name>.js`; a thread is started by its name. */
export const entryPoints = {
  'begin-process': 'src/begin-process.js',
  main: 'src/main.ts',
  'sqlite-thread': 'src/store/sqlite/sqlite-thread.ts',
  'delivery-thread': 'src/app/delivery-thread.ts',
  'examiner-thread': 'src/adapters/examiner/examiner-thread.ts',
} as const;

export type ThreadName = Extract<keyof typeof entryPoints, `${string}-thread`>;

/** The build writes JavaScript, all of it into one folder; the sources are TypeScript. */
const isBuilt = import.meta.url.endsWith('.js');
/** `dist/<build>/` and `src/kernel/` are equally deep. */
const root = new URL('../../', import.meta.url);

/** A file of the project that an installation brings along, such as the README. */
export function projectFile(path: string): URL {
  return new URL(path, root);
}

export function threadUrl(name: ThreadName): URL {
  return isBuilt ? new URL(`${name}.js`, import.meta.url) : projectFile(entryPoints[name]);
}

/** The web pages exist only after a build. A program that runs from its sources serves those of the last one. */
export function pagesFile(): URL {
  return isBuilt
    ? new URL('pages.json', import.meta.url)
    : new URL(`${currentBuild()}/pages.json`, projectFile('dist/'));
}

function currentBuild(): string {
  try {
    return (JSON.parse(readFileSync(projectFile('dist/current.json'), 'utf8')) as { build: string }).build;
  } catch (cause) {
    throw new Error('There is no build in dist/. Run npm run build.', { cause });
  }
}
