// The files command: compares records and blobs in both directions, and repairs what can be repaired.
import { openStore } from '../adapters/sql/open-store.ts';
import { createPorts } from '../adapters/sql/ports.ts';
import { chooseBlobs } from '../choose-blobs.ts';
import type { Config } from '../config/config.ts';
import { checkFiles, removeAdrift } from '../files/check-files.ts';
import { print } from './terminal.ts';

/** Exit code 1 when something is adrift or missing and stays so. */
export async function checkFilesCommand(
  config: Config,
  { json, repair }: { json: boolean; repair: boolean },
): Promise<number> {
  const store = await openStore(config);
  try {
    const { files } = createPorts(store);
    const deps = { files, blobs: await chooseBlobs(config), clock: store.clock };
    const check = await checkFiles(deps);
    const removed = repair ? await removeAdrift(deps, check.adrift) : 0;
    print(json ? `${JSON.stringify({ ...check, removed })}\n` : describe(check, removed));
    return check.missing.length + check.adrift.length - removed === 0 ? 0 : 1;
  } finally {
    await store.close();
  }
}

function describe(
  { records, blobs, missing, adrift }: Awaited<ReturnType<typeof checkFiles>>,
  removed: number,
): string {
  const lines = [
    `${records} records, ${blobs} blobs`,
    `${missing.length} records without their blob`,
    ...missing.map((id) => `  ${id}`),
    `${adrift.length} blobs without a record${removed > 0 ? `, ${removed} removed` : ''}`,
    ...adrift.map((id) => `  ${id}`),
  ];
  return `${lines.join('\n')}\n`;
}
