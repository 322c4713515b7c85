// The command `config docs`: prints every setting with its default and meaning, from the table that the service reads.
import { isSecret, settingNames, settings } from '../../config/settings.ts';
import type { Command } from '../declarations.ts';
import { writeTable } from '../write-text.ts';

export const configDocs: Command<'config docs'> = async (context) => {
  const data = settingNames.map((name) => {
    const { default: preset, meaning } = settings[name];
    return { name, default: preset, meaning, isSecret: isSecret(name) };
  });
  const rows = data.map((one) => [
    one.name,
    one.default,
    `${one.meaning}${one.isSecret ? ` (also ${one.name}_FILE)` : ''}`,
  ]);
  context.show({ settings: data }, writeTable(['name', 'default', 'meaning'], rows));
  return 0;
};
