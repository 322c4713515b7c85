// Every line that starts the program: Node leaves the options behind the program to it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
const entryPoint = /^ENTRYPOINT (.*)$/m.exec(read('deploy/Dockerfile'))?.[1] ?? '[]';
const unitLine = /^ExecStart=(.*)$/m.exec(read('deploy/gatehouse.service'))?.[1] ?? '';
const firstLine = (path: string) => `${read(path).split('\n', 1)[0]} ${path.split('/').at(-1)}`;

describe('a line that starts the program', () => {
  const lines = {
    ...Object.fromEntries(
      Object.entries(scripts)
        .filter(([, line]) => line.includes('gatehouse.js'))
        .map(([name, line]) => [`npm run ${name}`, line]),
    ),
    'the command of a source tree': firstLine('src/gatehouse.js'),
    'the command of an installation': firstLine('scripts/build/run-built.js'),
    'the image': (JSON.parse(entryPoint) as string[]).join(' '),
    'the unit of systemd': unitLine,
  };

  it('is known for each form', () => assert.equal(Object.keys(lines).length, 7));

  // Otherwise Node reads the file of --env-file first, and ends where it cannot.
  for (const [name, line] of Object.entries(lines))
    it(`has -- before the program: ${name}`, () => assert.match(line, / -- \S+\.js( |$)/));

  it('is not replaced by the manifest of Kubernetes', () =>
    assert.doesNotMatch(read('deploy/kubernetes/deployment.yaml'), /^ +(command|args):/m));
});
