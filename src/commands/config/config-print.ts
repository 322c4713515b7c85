// The command `config print`: prints every setting in force and its source, with secrets masked.
import { effectiveSettings } from '../../config/effective-settings.ts';
import type { Command } from '../declarations.ts';
import { writeTable } from '../write-text.ts';

export const configPrint: Command<'config print'> = async (context) => {
  const config = context.config();
  const found = effectiveSettings(config, context.environment);
  const rows = found.map(({ name, value, source }) => [name, value, source]);
  context.show({ mode: config.mode, settings: found }, writeTable(['name', 'value', 'from'], rows));
  for (const warning of config.warnings) context.say(`Warning: ${warning}`);
  return 0;
};
