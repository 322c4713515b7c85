// A process that writes parts of an upload until it is killed: a step without a flush, and one with it. Run with a folder, or a storage URL.
import { createDiskBlobs } from '../../../src/adapters/disk/disk-blobs.ts';
import { createS3Blobs } from '../../../src/adapters/s3/s3-blobs.ts';
import { parseProviderUrl } from '../../../src/kernel/net/provider-url.ts';
import { asUploadId } from '../people/ids.ts';

const [uploadId = '', folder = '', url = '', firstByte = '0', stepBytes = '1000'] = process.argv.slice(2);
const place = parseProviderUrl(url, 'host');
const blobs = place === undefined ? createDiskBlobs(folder) : createS3Blobs(place, folder);
const writer = blobs.parts.openWriter(asUploadId(uploadId), Number(firstByte), undefined);
/** The nth byte of the upload is n modulo 251. */
const bytesFrom = (start: number) =>
  Buffer.from(Array.from({ length: Number(stepBytes) }, (_, index) => (start + index) % 251));

for (;;) {
  await writer.write(bytesFrom(Number(firstByte) + writer.size));
  console.log(JSON.stringify({ kind: 'written', size: writer.size }));
  await new Promise((resolve) => process.stdin.once('data', resolve));
  console.log(JSON.stringify({ kind: 'flushed', parts: await writer.flush() }));
  await new Promise((resolve) => process.stdin.once('data', resolve));
}
