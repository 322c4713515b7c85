// The command `config print`: every setting as it is in force, where it comes from, secrets masked.
import { effectiveSettings } from '../config/effective-settings.ts';
import { readEnvironment } from './load-config.ts';
import type { Verb } from './operator-context.ts';
import { writeTable } from './write-text.ts';

export const configPrint: Verb = async (context) => {
  const config = context.config();
  const found = effectiveSettings(config, readEnvironment());
  const rows = found.map(({ name, value, source }) => [name, value, source]);
  context.show({ mode: config.mode, settings: found }, writeTable(['name', 'value', 'from'], rows));
  for (const warning of config.warnings) context.say(`Warning: ${warning}`);
  return 0;
};
