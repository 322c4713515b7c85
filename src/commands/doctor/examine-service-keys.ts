// The check of the doctor that looks at the service keys: those that end soon, and those that nobody uses.
import { findEndingKeys, type ServiceKey, stateOfKey } from '../../backend/service-key.ts';
import type { OpenedStore } from '../../store/open-store.ts';
import { createOperatorPorts } from '../../store/ports.ts';
import { countOf } from '../write-text.ts';
import { doubtful, type Finding, good } from './finding.ts';

const day = 86_400_000;
const unusedDays = 90;

export async function examineServiceKeys(store: OpenedStore): Promise<Finding[]> {
  const now = store.clock.now();
  return judgeServiceKeys(await createOperatorPorts(store).serviceKeys.listLive(now), now);
}

export function judgeServiceKeys(keys: readonly ServiceKey[], now: number): Finding[] {
  const live = keys.filter((key) => stateOfKey(key, now) === 'live');
  const ending = findEndingKeys(live, now);
  const findings: Finding[] = [];
  for (const key of live) {
    const days = Math.floor((key.endsAt - now) / day);
    if (ending.includes(key))
      findings.push(
        doubtful(
          'service keys',
          `“${key.name}” (${key.id}) ends ${days === 0 ? 'within a day' : `in ${countOf(days, 'day')}`}`,
          `run gatehouse service-keys rotate ${key.id} --until 90d, and give the new key to its server`,
        ),
      );
    if (now - (key.lastUsedAt ?? key.createdAt) >= unusedDays * day)
      findings.push(
        doubtful(
          'service keys',
          `“${key.name}” (${key.id}) was not used for ${unusedDays} days`,
          `if nothing needs it, run gatehouse service-keys revoke ${key.id}`,
        ),
      );
  }
  if (findings.length > 0) return findings;
  return [good('service keys', live.length === 0 ? 'none; /api/service is closed' : `${live.length} live`)];
}
