// Checks the documents: every relative link and anchor resolves, and every command they show exists.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Command } from 'commander';
import { createProgram } from '../../src/commands/program.ts';

const root = new URL('../../', import.meta.url).pathname;
const skipped = /^(node_modules|data|dist|coverage|\.cache|\.git)(\/|$)|\/node_modules\//;
const documents = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && !skipped.test(path))
  .sort();
const texts = new Map(documents.map((path) => [path, readFileSync(join(root, path), 'utf8')]));

describe('the documents', () => {
  it('the documents link only to targets that exist', () => {
    const broken = documents.flatMap((path) =>
      linksOf(texts.get(path) ?? '')
        .filter((link) => !resolves(path, link))
        .map((link) => `${path}: ${link}`),
    );
    assert.deepEqual(broken, []);
  });

  it('the index links to every document', () => {
    const index = new Set(linksOf(texts.get('docs/README.md') ?? '').map((link) => join('docs', link)));
    const lost = documents.filter((path) => /^docs\/.+\.md$/.test(path) && path !== 'docs/README.md');
    assert.deepEqual(
      lost.filter((path) => !index.has(path)),
      [],
    );
    assert.ok(linksOf(texts.get('README.md') ?? '').includes('docs/README.md'));
  });

  it('the documents show only commands and options that exist', () => {
    const program = createProgram();
    const shown = documents.flatMap((path) => commandsOf(texts.get(path) ?? '').map((words) => ({ path, words })));
    assert.ok(shown.length > 100);
    const wrong = shown.map(({ path, words }) => ({ path, words, why: faultOf(program, words) }));
    assert.deepEqual(
      wrong.filter(({ why }) => why !== undefined),
      [],
    );
  });
});

/** Without links that leave the project. */
function linksOf(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '').replaceAll(/`[^`\n]*`/g, '');
  const inText = [...prose.matchAll(/\]\(([^)\s]+)\)/g)];
  const inMarkup = [...prose.matchAll(/(?:src|srcset|href)="([^"\s]+)"/g)];
  return [...inText, ...inMarkup].map(([, link = '']) => link).filter((link) => !/^[a-z]+:/i.test(link));
}

function resolves(from: string, link: string): boolean {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? from : join(dirname(from), path);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(texts.get(target) ?? '').includes(anchor);
}

/** Anchors as GitHub derives them from headings, and those that the text names itself. */
function anchorsOf(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```/g, '');
  const headings = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
  return [...headings, ...[...prose.matchAll(/(?:id|name)="([^"]+)"/g)].map(([, name = '']) => name)];
}

/** The words behind “gatehouse” in code, up to the next shell operator. */
function commandsOf(text: string): string[][] {
  const blocks = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));
  const spans = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  const lines = [...blocks, ...spans].map((line) => line.replace(/\s#.*$/, ''));
  return lines
    .flatMap(
      (line) => /(?:^|[$(;&|]\s*|npm run (?:--silent )?|npx )gatehouse (?:-- )?([^|;&>)]*)/.exec(line)?.[1] ?? [],
    )
    .map((rest) =>
      rest
        .replaceAll(/"[^"]*"/g, '"…"')
        .split(/\s+/)
        .filter((word) => word !== ''),
    )
    .filter(([first]) => first !== undefined && /^(-|[a-z])/.test(first) && first !== '--help');
}

/** Undefined when the program knows the command and each option. */
function faultOf(program: Command, words: readonly string[]): string | undefined {
  let command = program;
  let depth = 0;
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (next === undefined) break;
    command = next;
    depth += 1;
  }
  if (depth === 0) return 'no such command';
  const rest = words.slice(depth);
  if (command.commands.length > 0 && rest.some((word) => !word.startsWith('-'))) return 'no such verb';
  const known = ['--help', ...command.options.map(({ long }) => long)];
  return rest.find((word) => word.startsWith('--') && word !== '--' && !known.includes(word.split('=')[0] ?? ''));
}
