// Reads the settings for a command; on problems prints all of them, each with its cure, and exits with 78 (EX_CONFIG).
import { type Config, readConfig } from '../config/config.ts';
import type { Problem } from '../config/env-reader.ts';

export function loadConfig(): Config {
  const result = readConfig(process.env);
  if ('config' in result) return result.config;
  process.stderr.write(describeProblems(result.problems));
  process.exit(78);
}

export function describeProblems(problems: readonly Problem[]): string {
  const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
  const lines = problems.map(({ name, trouble, cure }) => `  ${name} ${trouble}: ${cure}`);
  return `Gatehouse cannot start: ${count} attention.\n\n${lines.join('\n')}\n\nEvery setting is explained in .env.example.\n`;
}
