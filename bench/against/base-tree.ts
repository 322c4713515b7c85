// The sources of another commit in a temporary work tree of git, with their dependencies, ready to be started.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('../../', import.meta.url).pathname;

type BaseTree = { readonly root: string; readonly commit: string; remove(): void };

/** Throws if git does not know the commit. The tree is also removed when the process ends. */
export function openBaseTree(commit: string): BaseTree {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  const hash = git('rev-parse', '--verify', '--short=9', `${commit}^{commit}`);
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-base-'));
  const tree = join(folder, 'tree');
  const remove = () => {
    process.off('exit', remove);
    try {
      git('worktree', 'remove', '--force', tree);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  process.once('exit', remove);
  git('worktree', 'add', '--detach', tree, hash);
  if (hasSameDependencies(tree)) symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  else execFileSync('npm', ['ci'], { cwd: tree, stdio: ['ignore', 'ignore', 'inherit'] });
  return { root: `${tree}/`, commit: hash, remove };
}

function hasSameDependencies(tree: string): boolean {
  const [here, there] = [root, tree].map((folder) => readFileSync(join(folder, 'package-lock.json')));
  return here !== undefined && there !== undefined && here.equals(there);
}
