// What a command that touches data does first: it becomes the owner of the data, and says where they are.
import { userInfo } from 'node:os';
import { becomeOwner } from './become-owner.ts';
import type { FoundSettings } from './find-settings.ts';
import { tryConfig } from './load-config.ts';
import { namePlaces } from './name-places.ts';
import { tell } from './terminal.ts';

/** Wrong settings name no place. The command reports them. */
export function beginOnData(found: FoundSettings): void {
  const result = tryConfig(found);
  if ('problems' in result) return;
  const isOther = becomeOwner(result.config);
  const parts = [
    namePlaces(result.config),
    ...(found.files.length > 0 ? [`Settings: ${found.files.join(', ')}`] : []),
    ...(isOther ? [`User: ${nameUser()}`] : []),
  ];
  tell(`${parts.join(' · ')}\n`);
}

/** The number may have no name. */
function nameUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
