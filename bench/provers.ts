// The cost of every prover: processor time and peak memory for an ordinary file and for the worst known one.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeOrdinaryFiles } from '../media/test/helpers/ordinary-media-files.ts';
import { nestedJpeg } from '../media/test/helpers/worst-jpeg-files.ts';
import { worstFiles } from '../media/test/helpers/worst-media-files.ts';

type Figures = { readonly milliseconds: number; readonly growthMebibytes: number; readonly verdict: string };

const mebibyte = 2 ** 20;
const rounds = 3;
const program = fileURLToPath(new URL('./prove-one.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-provers-'));

try {
  console.log('| prover | file | MiB | CPU, ms | ms per MiB | memory, MiB | verdict |');
  console.log('|---|---|---|---|---|---|---|');
  for (const { prover, bytes } of await makeOrdinaryFiles(4 * mebibyte)) measure(prover, 'ordinary', bytes);
  for (const { prover, name, make } of worstFiles) measure(prover, name, make(largest(name) * mebibyte));
  for (const depth of [4_000, 50_000]) measure('JPEG', `${depth} pictures inside each other`, nestedJpeg(depth));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The size of a file that once took 12 s. */
function largest(name: string): number {
  return name.endsWith('runs without rows') ? 24 : 8;
}

function measure(prover: string, name: string, bytes: Buffer): void {
  const path = join(folder, 'file');
  writeFileSync(path, bytes);
  const all = Array.from({ length: rounds }, () => JSON.parse(proveApart(path)) as Figures);
  const best = all.reduce((one, other) => (other.milliseconds < one.milliseconds ? other : one));
  const mebibytes = bytes.length / mebibyte;
  const cells = [
    mebibytes.toFixed(2),
    best.milliseconds.toFixed(1),
    (best.milliseconds / mebibytes).toFixed(1),
    best.growthMebibytes.toFixed(0),
  ];
  console.log(`| ${prover} | ${name} | ${cells.join(' | ')} | ${best.verdict} |`);
}

function proveApart(path: string): string {
  return execFileSync(process.execPath, [program, path], { encoding: 'utf8' });
}
