// Reads the settings for a command. Reports all problems at once, each with its cure; the exit code is then 78 (EX_CONFIG).
import { type ConfigResult, readConfig } from '../config/config.ts';
import type { Problem } from '../config/env-reader.ts';
import { isKnownName } from '../config/known-names.ts';
import { type FoundSettings, findSettings } from './find-settings.ts';

/** The settings of files are then in the environment of the process, where its other parts and its workers find them. Other names of files are not. */
export function takeSettings(envFile: string | undefined, isService: boolean): FoundSettings {
  const found = findSettings({ env: process.env, envFile, isService });
  for (const name of Object.keys(found.origins)) if (isKnownName(name)) process.env[name] = found.env[name];
  return found;
}

/** A problem of a setting names the file that the setting is in. */
export function tryConfig({ env, origins, problems, warnings }: FoundSettings): ConfigResult {
  if (problems.length > 0) return { problems: [...problems] };
  const result = readConfig(env);
  if ('problems' in result) return { problems: result.problems.map((problem) => locate(problem, origins)) };
  if (warnings.length === 0) return result;
  return { config: { ...result.config, warnings: [...result.config.warnings, ...warnings] } };
}

function locate({ name, trouble, cure }: Problem, origins: FoundSettings['origins']): Problem {
  const origin = origins[name] ?? origins[`${name}_FILE`];
  return { name: origin === undefined ? name : `${name} (in ${origin})`, trouble, cure };
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

export function describeProblems(problems: readonly Problem[]): string {
  const count = problems.length === 1 ? '1 setting needs' : `${problems.length} settings need`;
  const lines = problems.map(({ name, trouble, cure }) => `  ${name} ${trouble}: ${cure}`);
  return `${count} attention.\n\n${lines.join('\n')}\n\nEvery setting is explained in .env.example.`;
}
