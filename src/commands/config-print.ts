// The command `config print`: every setting as it is in force, where it comes from, secrets masked.
import { effectiveSettings } from '../config/effective-settings.ts';
import type { Verb } from './desk.ts';
import { readEnvironment } from './load-config.ts';
import { writeTable } from './write-text.ts';

export const configPrint: Verb = async (desk) => {
  const config = desk.config();
  const found = effectiveSettings(config, readEnvironment());
  const rows = found.map(({ name, value, source }) => [name, value, source]);
  desk.show({ mode: config.mode, settings: found }, writeTable(['name', 'value', 'from'], rows));
  for (const warning of config.warnings) desk.say(`Warning: ${warning}`);
  return 0;
};
