// Reads the settings for a command. Reports all problems at once, each with its cure; the exit code is then 78 (EX_CONFIG).
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Config, type ConfigResult, readConfig } from '../config/config.ts';
import type { Environment } from '../config/effective-settings.ts';
import type { Problem } from '../config/env-reader.ts';
import { CommandError } from './command-error.ts';

export function tryConfig(): ConfigResult {
  const result = readConfig(process.env);
  const warnings = warnOfFile(readFile());
  if (!('config' in result) || warnings.length === 0) return result;
  return { config: { ...result.config, warnings: [...result.config.warnings, ...warnings] } };
}

export function showsStacks(): boolean {
  return ['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '');
}

/** Where the apps are listed. The command that creates the file must run before the setting is right. */
export function appsFileSetting(): string | undefined {
  const path = process.env.APPS_FILE?.trim();
  return path === '' ? undefined : path;
}

/** What the check of a file of the brand needs. The other settings may still be wrong. */
export function brandSettings(): { readonly name: string | undefined; readonly publicUrl: string } {
  const name = process.env.BRAND_NAME?.trim();
  const publicUrl = process.env.PUBLIC_URL?.trim() ?? '';
  const isUsable = /^https?:/i.test(publicUrl) && URL.canParse(publicUrl);
  return {
    name: name === '' ? undefined : name,
    publicUrl: isUsable ? new URL(publicUrl).origin : 'http://localhost:8080',
  };
}

function readFile(): string {
  return existsSync('.env') ? readFileSync('.env', 'utf8') : '';
}

/** Finds lines of .env that are neither a setting nor a comment. A value in quotes may have several lines. */
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
        : [`line ${index + 1} of .env sets nothing: write NAME=value, or put # before a comment.`],
    );
}

export function loadConfig(): Config {
  const result = tryConfig();
  if ('config' in result) return result.config;
  throw new CommandError(describeProblems(result.problems), 78);
}

/** The environment, and the content of the file .env. */
export function readEnvironment(): Environment {
  return { env: process.env, file: parseEnv(readFile()) };
}

export function describeProblems(problems: readonly Problem[]): string {
  const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
  const lines = problems.map(({ name, trouble, cure }) => `  ${name} ${trouble}: ${cure}`);
  return `${count} attention.\n\n${lines.join('\n')}\n\nEvery setting is explained in .env.example.`;
}
