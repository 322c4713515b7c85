// Use case: declare that a database and a storage belong together, whatever they carried before: both get a new id.
import type { Act } from '../kernel/audit.ts';
import { newInstallationId } from './installation.ts';
import type { InstallationDeps } from './settle-installation.ts';

/** A copy of a database must not pass for the one it was copied from, so the id is always a new one. */
export async function adoptStorage(
  { blobs, installations, clock }: Omit<InstallationDeps, 'files'>,
  by: Act,
): Promise<string> {
  const id = newInstallationId();
  const before = await blobs.readMark();
  await installations.adopt({ id, before, by, now: clock.now() });
  await blobs.writeMark(id);
  return id;
}
