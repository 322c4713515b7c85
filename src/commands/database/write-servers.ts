// How the servers of DATABASE_URL look to an operator: place, whether they accept writes, and timeline.
import type { DatabaseServer } from '../../store/open-store.ts';

export function writeServers(servers: readonly DatabaseServer[]): string {
  return servers.map(writeServer).join('; ');
}

function writeServer({ place, state }: DatabaseServer): string {
  if (state.kind === 'away') return `${place} does not answer`;
  const role = state.kind === 'writable' ? 'accepts writes' : 'standby';
  const where = state.system === undefined ? 'timeline unknown' : `timeline ${state.timeline}`;
  return `${place} ${role}, ${where}`;
}
