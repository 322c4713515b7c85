// The command `config docs`: every setting with its default and meaning, from the same table that the service reads.
import { isSecret, settingNames, settings } from '../config/settings.ts';
import type { Verb } from './operator-context.ts';
import { writeTable } from './write-text.ts';

export const configDocs: Verb = async (context) => {
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
