// The disk space of a new installation: the production dependencies as npm installs them.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('../', import.meta.url).pathname;

export function installMebibytes(): { dependencies: number; node: number } {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-bench-'));
  try {
    for (const name of ['package.json', 'package-lock.json', '.npmrc']) cpSync(join(root, name), join(folder, name));
    execFileSync('npm', ['ci', '--omit=dev', '--no-audit', '--no-fund'], { cwd: folder, stdio: 'ignore' });
    const all = mebibytes(join(folder, 'node_modules'));
    const node = mebibytes(...nodePackages(folder));
    return { dependencies: all - node, node };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function nodePackages(folder: string): string[] {
  const listed = execFileSync(
    'sh',
    ['-c', 'ls -d node_modules/node-bin-* node_modules/node-linux-* node_modules/node-darwin-* 2>/dev/null || true'],
    { cwd: folder },
  );
  return listed
    .toString()
    .split('\n')
    .filter(Boolean)
    .map((name) => join(folder, name));
}

function mebibytes(...paths: string[]): number {
  if (paths.length === 0) return 0;
  const lines = execFileSync('du', ['-sk', ...paths])
    .toString()
    .trim()
    .split('\n');
  return Math.round(lines.reduce((sum, line) => sum + Number(line.split('\t')[0]), 0) / 1024);
}
