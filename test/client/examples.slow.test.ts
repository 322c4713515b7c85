// The examples in the doc comments of the client: every public call has one, and each one compiles.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createGatehouse } from '../../client/src/create-gatehouse.ts';
import { createService } from '../../client/src/service.ts';

const root = new URL('../../', import.meta.url).pathname;
const sources = join(root, 'client/src');
const isOfBackEnd = (file: string) => file.startsWith('service');
const examplesOf = (files: readonly string[]) =>
  files.flatMap((file) => examplesIn(readFileSync(join(sources, file), 'utf8')));
/** Without folders: the element is documented in docs/components.md. */
const files = readdirSync(sources).filter((name) => name.endsWith('.ts'));
const examples = examplesOf(files.filter((file) => !isOfBackEnd(file)));
const examplesOfBackEnds = examplesOf(files.filter(isOfBackEnd));

/** Declarations that the examples rely on. An example that declares one of these names hides it. */
const surroundings = `
import {
  browserStorage, createGatehouse, createUploadControl, createUploadMemory, findFault, GatehouseError, memoryStorage,
} from '@gatehouse/client';
import type { Gatehouse } from '@gatehouse/client';
import type { TestGatehouse } from '@gatehouse/client/testing';
import type { createVerifier } from '@gatehouse/client/verifier';
declare const gatehouse: Gatehouse;
declare const service: TestGatehouse;
declare const request: { headers: { authorization?: string } };
declare const verify: ReturnType<typeof createVerifier>['verify'];
declare const ticket: string;
`;

const surroundingsOfBackEnds = `
import type { Service } from '@gatehouse/client/service';
declare const service: Service;
declare const userId: string;
declare const fileId: string;
declare const token: string;
declare const request: { headers: Record<string, string> };
`;

describe('the examples of the client', () => {
  it('the examples of the client show every call', () => {
    const calls = callsOf(createGatehouse({ url: 'http://localhost' }), 'gatehouse');
    const functions = ['createGatehouse', 'createVerifier', 'verify', 'startTestGatehouse', 'findFault'];
    const uploads = ['createUploadControl', 'createUploadMemory'];
    const others = [
      ...uploads,
      'memoryStorage',
      'browserStorage',
      'service.inbox.code',
      'service.inbox.link',
      'service.stop',
    ];
    const ofBackEnds = callsOf(createService({ url: 'http://localhost', key: 'gks_0_0' }), 'service');
    const text = [...examples, ...examplesOfBackEnds].join('\n');
    const missing = [...calls, ...functions, ...others, ...ofBackEnds, 'createService', 'verifyWebhook'].filter(
      (name) => !text.includes(`${name}(`),
    );
    assert.deepEqual(missing, []);
  });

  it('the examples of the client compile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-examples-'));
    try {
      for (const [index, example] of examples.entries())
        writeFileSync(join(folder, `example-${index}.mts`), moduleOf(example, surroundings));
      for (const [index, example] of examplesOfBackEnds.entries())
        writeFileSync(join(folder, `example-of-back-end-${index}.mts`), moduleOf(example, surroundingsOfBackEnds));
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch(({ stdout }) =>
        assert.fail(stdout),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

const config = {
  extends: join(root, 'client/tsconfig.json'),
  compilerOptions: {
    noEmit: true,
    noUnusedLocals: false,
    typeRoots: [join(root, 'node_modules/@types')],
    paths: {
      '@gatehouse/client': [join(sources, 'create-gatehouse.ts')],
      '@gatehouse/client/service': [join(sources, 'service.ts')],
      '@gatehouse/client/testing': [join(sources, 'testing.ts')],
      '@gatehouse/client/verifier': [join(sources, 'verifier.ts')],
    },
  },
  include: ['*.mts'],
};

/** The lines after each `@example`, without the asterisks of the comment. */
function examplesIn(source: string): string[] {
  const [, ...rest] = source.split('@example\n');
  return rest.map((text) => (text.split('*/')[0] ?? '').replaceAll(/^ *\* ?/gm, ''));
}

/** The imports of an example stay at the top; the rest runs in a block of its own. */
function moduleOf(example: string, before: string): string {
  const lines = example.split('\n');
  const isImport = (line: string) => line.startsWith('import ');
  const [imports, rest] = [lines.filter(isImport), lines.filter((line) => !isImport(line))];
  const given = imports.length === 0 ? before : imports.join('\n');
  return `${given}\nexport async function run() {\n${rest.join('\n')}\n}\n`;
}

/** `gatehouse.me`, `gatehouse.phone.sendCode` …, without the deprecated names. */
function callsOf(value: object, path: string): string[] {
  return Object.entries(value)
    .filter(([name]) => name !== 'logIn' && name !== 'logOut')
    .filter(([, inner]) => typeof inner === 'object' || typeof inner === 'function')
    .flatMap(([name, inner]) => (typeof inner === 'object' ? callsOf(inner, `${path}.${name}`) : [`${path}.${name}`]));
}
