// Use case: declare that a database and a storage belong together. Both get a new installation id.
import type { Act } from '../../kernel/audit.ts';
import { newInstallationId } from './installation.ts';
import type { InstallationDeps } from './settle-installation.ts';

/** The id is always new, so a copy of a database cannot be mistaken for the original. Returns the new id. */
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
