// Reads the settings for a command; on problems prints all of them, each with its cure, and exits with 78 (EX_CONFIG).
import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { type Config, type ConfigResult, readConfig } from '../config/config.ts';
import type { Environment } from '../config/effective-settings.ts';
import type { Problem } from '../config/env-reader.ts';
import { tell } from './terminal.ts';

export function tryConfig(): ConfigResult {
  return readConfig(process.env);
}

export function loadConfig(): Config {
  const result = tryConfig();
  if ('config' in result) return result.config;
  tell(describeProblems(result.problems));
  process.exit(78);
}

/** The environment as it is, and what the file .env says. */
export function readEnvironment(): Environment {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return { env: process.env, file };
}

export function describeProblems(problems: readonly Problem[]): string {
  const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
  const lines = problems.map(({ name, trouble, cure }) => `  ${name} ${trouble}: ${cure}`);
  return `Gatehouse cannot start: ${count} attention.\n\n${lines.join('\n')}\n\nEvery setting is explained in .env.example.\n`;
}
