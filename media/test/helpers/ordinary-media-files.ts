// Files as users have them, one for each prover and of about one size, to compare the worst ones with.
import { randomBytes } from 'node:crypto';
import sharp from 'sharp';
import {
  box,
  buildZip,
  chunk,
  contentTypes,
  element,
  format,
  mp3Frame,
  oggPage,
  opusHead,
  riff,
  wordMain,
} from './media-builders.ts';
import { fixture, joined } from './media-files.ts';

type OrdinaryFile = { readonly prover: string; readonly bytes: Buffer };

export async function makeOrdinaryFiles(bytes: number): Promise<OrdinaryFile[]> {
  const noise = randomBytes(bytes);
  return [
    { prover: 'text', bytes: Buffer.alloc(bytes, 'Ein längerer Satz, und noch einer; dann das Ende der Zeile.\n') },
    { prover: 'PDF', bytes: pdfAround(noise) },
    ...(await pictures(bytes)),
    { prover: 'MP4', bytes: joined(fixture('ffmpeg-faststart.mp4'), box('free', noise)) },
    { prover: 'WebM', bytes: webmAround(noise) },
    { prover: 'MP3', bytes: Buffer.alloc(417 * Math.floor(bytes / 417), mp3Frame()) },
    { prover: 'Ogg', bytes: oggAround(noise) },
    { prover: 'WAV', bytes: riff(format(), chunk('data', noise)) },
    { prover: 'ZIP', bytes: buildZip([{ name: 'noise.bin', content: noise }]) },
    { prover: 'DOCX', bytes: docxAround(noise) },
  ];
}

async function pictures(bytes: number): Promise<OrdinaryFile[]> {
  const side = Math.floor(Math.sqrt(bytes / 3));
  const raw = { width: side, height: side, channels: 3 } as const;
  const picture = () => sharp(randomBytes(side * side * 3), { raw }).withExif({ IFD0: { Make: 'Somebody' } });
  return [
    { prover: 'JPEG', bytes: await picture().jpeg({ quality: 95 }).toBuffer() },
    { prover: 'PNG', bytes: await picture().png({ compressionLevel: 1 }).toBuffer() },
    { prover: 'GIF', bytes: await picture().gif({ effort: 1 }).toBuffer() },
    { prover: 'WebP', bytes: await picture().webp({ quality: 95, effort: 0 }).toBuffer() },
    { prover: 'AVIF', bytes: await picture().resize(400).avif({ quality: 80, effort: 0 }).toBuffer() },
  ];
}

function pdfAround(noise: Buffer): Buffer {
  const head = joined(
    '%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n2 0 obj\n<<>>stream\n',
    noise,
    '\nendstream\nendobj\n',
  );
  const rows = '0000000000 65535 f \n0000000009 00000 n \n0000000042 00000 n \n';
  return joined(head, `xref\n0 3\n${rows}trailer\n<</Root 1 0 R>>\nstartxref\n${head.length}\n%%EOF\n`);
}

function webmAround(noise: Buffer): Buffer {
  const track = joined(element(0xd7, [1]), element(0x83, [1]), element(0x86, 'V_VP8'));
  const head = joined(element(0x1549a966, ''), element(0x1654ae6b, element(0xae, track)));
  const blocks: Buffer[] = [element(0xe7, [0])];
  for (let at = 0; at < noise.length; at += 4096)
    blocks.push(element(0xa3, joined([0x81, 0, 0, 0], noise.subarray(at, at + 4096))));
  const cluster = element(0x1f43b675, Buffer.concat(blocks));
  return joined(element(0x1a45dfa3, element(0x4282, 'webm')), element(0x18538067, joined(head, cluster)));
}

function oggAround(noise: Buffer): Buffer {
  const pages = [oggPage({ flags: 2, sequence: 0, payload: opusHead })];
  for (let at = 0; at < noise.length; at += 4000)
    pages.push(oggPage({ flags: 0, sequence: pages.length, payload: noise.subarray(at, at + 4000) }));
  pages.push(oggPage({ flags: 4, sequence: pages.length, payload: 'x' }));
  return Buffer.concat(pages);
}

function docxAround(noise: Buffer): Buffer {
  const types = contentTypes(['word/document.xml', wordMain]);
  return buildZip([
    { name: '[Content_Types].xml', content: types, method: 8 },
    { name: 'word/document.xml', content: '<w/>' },
    { name: 'word/media/noise.bin', content: noise },
  ]);
}
