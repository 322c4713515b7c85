// Files that the service stores although they contain script. Each would run it if a careless host served it.
import { deflateSync } from 'node:zlib';
import type { MediaType } from '#media/media-type';
import { segment } from '../../../media/test/helpers/jpeg-builder.ts';
import { box, buildZip } from '../../../media/test/helpers/media-builders.ts';
import { fixture, joined } from '../../../media/test/helpers/media-files.ts';
import { still } from '../../../media/test/helpers/valid-images.ts';
import { pngChunk, pngSignature, wavFile } from '../../helpers/uploads/sample-files.ts';

type ScriptedFile = {
  readonly name: string;
  readonly type: MediaType;
  readonly bytes: Buffer;
  /** The type with which a careless host would make the script run. */
  readonly carelessType: string;
};

/** No sandbox and no policy hides the console, so a script that runs is noticed. */
export const ranMark = 'a stored file ran script:';

const script = (name: string) => `console.log(\`${ranMark} ${name}\`)`;
const markup = (name: string) => `<script>${script(name)}</script>`;
/** Text that the service accepts. It refuses only tags that make an HTML page. */
const handler = (name: string) => `<img src="data:," onerror="${script(name)}">`;
const photo = await still().jpeg().toBuffer();
const jpegComment = 0xfe;

export const scriptedFiles: readonly ScriptedFile[] = [
  file('handler-far-in.txt', 'text/plain', 'text/html', (name) => `${'x'.repeat(70_000)}${handler(name)}`),
  file('handler.txt', 'text/plain', 'text/html', (name) => `hello ${handler(name)}`),
  file('program.txt', 'text/plain', 'text/javascript', (name) => script(name)),
  file(
    'handler.csv',
    'text/csv',
    'text/html',
    (name) => `name,age\n"<img src='data:,' onerror='${script(name)}'>",4\n`,
  ),
  file('program.csv', 'text/csv', 'text/javascript', (name) => `${script(name)},1\n2,3\n`),
  file('page.zip', 'application/zip', 'text/html', (name) => buildZip([{ name: 'index.html', content: markup(name) }])),
  file('page.wav', 'audio/wav', 'text/html', (name) => withText(wavFile(4_000), 100, markup(name))),
  file('page.mp4', 'video/mp4', 'text/html', (name) =>
    Buffer.concat([fixture('ffmpeg-faststart.mp4'), box('free', markup(name))]),
  ),
  file('comment.jpg', 'image/jpeg', 'text/html', (name) =>
    joined(photo.subarray(0, 2), segment(jpegComment, markup(name)), photo.subarray(2)),
  ),
  file('page.png', 'image/png', 'text/html', (name) => pngOfText(markup(name))),
  file('page.pdf', 'application/pdf', 'text/html', (name) => scriptedPdf(name, markup(name))),
  file('action.pdf', 'application/pdf', 'application/pdf', (name) => scriptedPdf(name, '')),
];

function file(
  name: string,
  type: MediaType,
  carelessType: string,
  make: (name: string) => string | Buffer,
): ScriptedFile {
  return { name, type, carelessType, bytes: Buffer.from(make(name)) };
}

function withText(bytes: Buffer, at: number, text: string): Buffer {
  bytes.write(text, at, 'latin1');
  return bytes;
}

/** The text is in the pixels, which are stored without compression, so that no removal of metadata removes it. */
function pngOfText(text: string): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(text.length, 0);
  head.writeUInt32BE(1, 4);
  head[8] = 8;
  const pixels = deflateSync(Buffer.from(`\0${text}`, 'latin1'), { level: 0 });
  return Buffer.concat([
    pngSignature,
    pngChunk('IHDR', head),
    pngChunk('IDAT', pixels),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Runs its own script, and contains markup inside an object, which the proof of the type accepts. */
function scriptedPdf(name: string, inside: string): Buffer {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R /OpenAction 4 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>',
    `<< /S /JavaScript /JS (app.alert\\("${ranMark} ${name}"\\)) >>`,
    `<< /Length ${inside.length} >>\nstream\n${inside}\nendstream`,
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\n`;
  return Buffer.from(`${text}${table}${trailer}startxref\n${text.length}\n%%EOF\n`, 'latin1');
}
