// Writes a picture of the documents as a PNG with a palette, because the repository keeps every version of it.
import { writeFileSync } from 'node:fs';
import sharp from 'sharp';

/** A document that shows six of them should load in a second. */
const longestBytes = 120 * 1024;

export async function savePicture(picture: Buffer, path: string): Promise<void> {
  for (const colours of [256, 128, 64]) {
    const small = await sharp(picture).png({ palette: true, colours, effort: 10, compressionLevel: 9 }).toBuffer();
    if (small.length > longestBytes && colours > 64) continue;
    writeFileSync(path, small);
    console.log(`${path.split('/').at(-1)}: ${Math.ceil(small.length / 1024)} KB`);
    return;
  }
}
