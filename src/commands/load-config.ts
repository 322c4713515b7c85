// Reads the settings for a command; on problems prints all of them, each with its cure, and exits with 78 (EX_CONFIG).
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Config, type ConfigResult, readConfig } from '../config/config.ts';
import type { Environment } from '../config/effective-settings.ts';
import type { Problem } from '../config/env-reader.ts';
import { tell } from './terminal.ts';

export function tryConfig(): ConfigResult {
  const result = readConfig(process.env);
  const warnings = warnOfFile(readFile());
  if (!('config' in result) || warnings.length === 0) return result;
  return { config: { ...result.config, warnings: [...result.config.warnings, ...warnings] } };
}

export function showsStacks(): boolean {
  return ['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '');
}

function readFile(): string {
  return existsSync('.env') ? readFileSync('.env', 'utf8') : '';
}

/** Lines of .env that set nothing and are no comment. What stands in quotes may have several lines. */
export function warnOfFile(text: string): string[] {
  const plain = text.replaceAll(
    /(=[ \t]*)("[^"]*"|'[^']*'|`[^`]*`)/g,
    (_, sign: string, value: string) => sign + value.replaceAll(/[^\n]/g, ''),
  );
  return plain
    .split('\n')
    .flatMap((line, index) =>
      /^\s*(#.*|(export\s+)?[\w.-]+\s*=.*)?$/.test(line.replace(/\r$/, ''))
        ? []
        : [`line ${index + 1} of .env sets nothing: write NAME=value, or # before a comment.`],
    );
}

export function loadConfig(): Config {
  const result = tryConfig();
  if ('config' in result) return result.config;
  tell(describeProblems(result.problems));
  process.exit(78);
}

/** The environment as it is, and what the file .env says. */
export function readEnvironment(): Environment {
  return { env: process.env, file: parseEnv(readFile()) };
}

export function describeProblems(problems: readonly Problem[]): string {
  const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
  const lines = problems.map(({ name, trouble, cure }) => `  ${name} ${trouble}: ${cure}`);
  return `Gatehouse cannot start: ${count} attention.\n\n${lines.join('\n')}\n\nEvery setting is explained in .env.example.\n`;
}
