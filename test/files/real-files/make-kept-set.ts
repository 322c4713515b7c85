// Makes test/fixtures/real-files/: `node test/files/real-files/make-kept-set.ts`. Each file has one peculiarity of the program
// named here. They are kept because encoders differ from version to version, and so that the fast tests need no programs.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';
import { withPictures } from '../../../media/test/helpers/jpeg-builder.ts';
import { joined, u16le, u32le } from '../../../media/test/helpers/media-files.ts';
import { centralEntry, endRecord, extraField, localEntry } from '../../../media/test/helpers/zip-builder.ts';
import { runTool } from './run-tool.ts';

const target = new URL('../../fixtures/real-files/', import.meta.url).pathname;
const work = mkdtempSync(join(tmpdir(), 'gatehouse-kept-'));

const ffmpeg = 'ffmpeg -nostdin -v error -y';
const tone = '-f lavfi -i sine=frequency=440:sample_rate=44100:duration=0.4';
const film = '-f lavfi -i testsrc2=size=64x48:rate=10:duration=0.5';
const x264 = '-c:v libx264 -preset ultrafast -crf 40 -pix_fmt yuv420p';
const picture = 'convert -size 48x32 -seed 1 plasma:red-blue';
const tags =
  "-Make='Secret Phone' -Model='Secret Model' -SerialNumber=Secret1234 -GPSLatitude=52.52 -GPSLatitudeRef=N -GPSLongitude=13.405 -GPSLongitudeRef=E -Orientation#=6 -XMP:Creator='Secret Owner'";
const tagged = (name: string) => `exiftool -q -overwrite_original ${tags} ${name}`;
const place = "-metadata location=+52.5200+013.4050/ -metadata make='Phone' -metadata model='Model'";
const letter = 'Ein Brief mit Umlauten: äöü.';

/** The command that makes the file, in a folder with nothing else of its name. */
const commands: Readonly<Record<string, string>> = {
  'phone.jpg': `${picture} phone.jpg && ${tagged('phone.jpg')}`,
  'cmyk-progressive.jpg': `${picture} -colorspace CMYK -interlace JPEG cmyk-progressive.jpg`,
  'phone.png': `${picture} -colors 64 phone.png && ${tagged('phone.png')}`,
  'animated.png': `${ffmpeg} ${film} -frames:v 2 -f apng -plays 0 animated.png`,
  'animated.gif': `${ffmpeg} ${film} -frames:v 3 animated.gif`,
  'phone.webp': `${picture} phone.webp && ${tagged('phone.webp')}`,
  'iphone.heic': `${picture} in.jpg && ${tagged('in.jpg')} && heif-enc -q 40 -o iphone.heic in.jpg`,
  'phone.avif': `${picture} in2.jpg && ${tagged('in2.jpg')} && heif-enc -A -q 40 -o phone.avif in2.jpg`,
  'cut.mp3': `${ffmpeg} ${tone} -b:a 64k whole.mp3 && head -c -50 whole.mp3 >cut.mp3`,
  'cover.mp3': `${ffmpeg} ${tone} ${film} -map 0:a -map 1:v -frames:v 1 -c:v mjpeg -b:a 64k -disposition:v attached_pic cover.mp3`,
  'pipe.wav': `${ffmpeg} ${tone} -ar 8000 -f wav - >pipe.wav`,
  'voice-memo.m4a': `${ffmpeg} ${tone} -c:a aac -b:a 32k -movflags faststart voice-memo.m4a`,
  'voice-message.ogg': `${ffmpeg} ${tone} -c:a libopus -b:a 16k voice-message.ogg`,
  'sound-only.mp4': `${ffmpeg} ${tone} -c:a aac -b:a 32k sound-only.mp4`,
  'android.mp4': `${ffmpeg} ${film} ${tone} ${x264} -c:a aac -b:a 32k base.mp4 && ${ffmpeg} -i base.mp4 -c copy -metadata:s:v rotate=90 ${place} android.mp4`,
  'iphone.mov': `${ffmpeg} ${film} ${tone} ${x264} -c:a aac -b:a 32k base.mov && ${ffmpeg} -i base.mov -c copy -metadata:s:v rotate=90 ${place} iphone.mov`,
  'fragmented.mp4': `${ffmpeg} ${film} ${x264} -f mp4 -movflags frag_keyframe+empty_moov - >fragmented.mp4`,
  'subtitles.webm': `printf 'WEBVTT\\n\\n00:00.000 --> 00:00.400\\nHallo\\n' >in.vtt && ${ffmpeg} ${film} -i in.vtt -c:v libvpx -deadline realtime -b:v 50k -c:s webvtt subtitles.webm`,
  'media-recorder.webm': `${ffmpeg} ${film} ${tone} -c:v libvpx -deadline realtime -b:v 50k -c:a libopus -b:a 16k -live 1 -f webm - >media-recorder.webm`,
  'media-recorder-sound.webm': `${ffmpeg} ${tone} -c:a libopus -b:a 16k -live 1 -f webm - >media-recorder-sound.webm`,
  'libreoffice.docx': office('docx', 'txt', `${letter}\\n`),
  'libreoffice.odt': office('odt', 'txt', `${letter}\\n`),
  'libreoffice.xlsx': office('xlsx', 'csv', 'Name,Betrag\\nMüller,12\\n'),
  'macos.zip': streamedZip('macos.zip', ['Ordner/', 'Ordner/Brief.txt', '__MACOSX/', '__MACOSX/Ordner/._Brief.txt']),
};

function office(ending: string, from: string, text: string): string {
  const start = `soffice -env:UserInstallation=file://${work}/profile --headless --convert-to ${ending}`;
  return `printf '${text}' >libreoffice.${from} && ${start} libreoffice.${from} >soffice.log 2>&1`;
}

/** With descriptors behind the data, as the Finder's archives have them. */
function streamedZip(name: string, entries: readonly string[]): string {
  const lines = [
    'import sys, zipfile',
    'class Pipe:',
    '  def write(self, b): return sys.stdout.buffer.write(b)',
    '  def flush(self): pass',
    "with zipfile.ZipFile(Pipe(), 'w', zipfile.ZIP_DEFLATED) as z:",
    `  for n in ${JSON.stringify(entries)}: z.writestr(n, b'' if n.endswith('/') else b'words ' * 20)`,
  ];
  writeFileSync(join(work, `${name}.py`), lines.join('\n'));
  return `python3 ${name}.py >${name}`;
}

type Entry = { readonly name: string; readonly content: string };

/** Office programs of Microsoft leave room to grow behind the name of the first entry, and only there. */
function microsoftZip(entries: readonly Entry[]): Buffer {
  const growthHint = extraField(0xa220, joined(u16le(0xa028), u16le(200), Buffer.alloc(200)));
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  for (const [index, { name, content }] of entries.entries()) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const entry = { name, method: 8, flags: 6, checksum: crc32(bytes), packed: packed.length, unpacked: bytes.length };
    const offset = Buffer.concat(parts).length;
    parts.push(localEntry({ ...entry, extra: index === 0 ? growthHint : '' }), packed);
    directory.push(centralEntry({ ...entry, offset }));
  }
  const [files, list] = [Buffer.concat(parts), Buffer.concat(directory)];
  return joined(files, list, endRecord({ count: entries.length, size: list.length, start: files.length }));
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n';
const office2006 = 'http://schemas.openxmlformats.org';
const relation = (id: string, type: string, path: string) =>
  `<Relationship Id="${id}" Type="${office2006}/officeDocument/2006/relationships/${type}" Target="${path}"/>`;
const relations = (...all: string[]) =>
  `${xml}<Relationships xmlns="${office2006}/package/2006/relationships">${all.join('')}</Relationships>`;
const types = (part: string, kind: string) =>
  `${xml}<Types xmlns="${office2006}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`;

function wordLike(): Buffer {
  const body = `<w:body><w:p><w:r><w:t>${letter}</w:t></w:r></w:p></w:body>`;
  return microsoftZip([
    { name: '[Content_Types].xml', content: types('word/document.xml', 'wordprocessingml.document') },
    { name: '_rels/.rels', content: relations(relation('rId1', 'officeDocument', 'word/document.xml')) },
    {
      name: 'word/document.xml',
      content: `${xml}<w:document xmlns:w="${office2006}/wordprocessingml/2006/main">${body}</w:document>`,
    },
  ]);
}

function excelLike(): Buffer {
  const main = `xmlns="${office2006}/spreadsheetml/2006/main"`;
  const names = `xmlns:r="${office2006}/officeDocument/2006/relationships"`;
  return microsoftZip([
    { name: '[Content_Types].xml', content: types('xl/workbook.xml', 'spreadsheetml.sheet') },
    { name: '_rels/.rels', content: relations(relation('rId1', 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      content: `${xml}<workbook ${main} ${names}><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', content: relations(relation('rId1', 'worksheet', 'worksheets/sheet1.xml')) },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: `${xml}<worksheet ${main}><sheetData><row r="1"><c r="A1"><v>12</v></c></row></sheetData></worksheet>`,
    },
  ]);
}

/** Behind the end of a picture of the maker's phones: blocks, their directory, and where it begins. */
function samsungTrailer(): Buffer {
  const name = 'Image_UTC_Data';
  const block = joined(u16le(0), u16le(0x0a01), u32le(name.length), name, '1700000000000');
  const head = joined('SEFH', u32le(106), u32le(1));
  const directory = joined(head, u16le(0), u16le(0x0a01), u32le(block.length), u32le(block.length));
  return joined(block, directory, u32le(directory.length), 'SEFT');
}

/** Of APEv2, as mp3gain and mutagen write it, with ID3v1 behind it. */
function apeAndId3v1(): Buffer {
  const item = joined(u32le(7), u32le(0), 'REPLAYGAIN\0', '-6.5 dB');
  const frame = (flags: number) =>
    joined('APETAGEX', u32le(2000), u32le(item.length + 32), u32le(1), u32le(flags), Buffer.alloc(8));
  const id3v1 = Buffer.alloc(128);
  id3v1.write('TAGTitle', 'latin1');
  return joined(frame(0xa0000000), item, frame(0x80000000), id3v1);
}

function made(name: string): Buffer {
  return readFileSync(join(work, name));
}

const table = 'Name;Ort;Betrag\r\nMüller;Köln;12,50\r\nGröße;Straße;7\r\n';

/** Files put together from the bytes of others. */
const assembled: Readonly<Record<string, () => Buffer>> = {
  'samsung.jpg': () => joined(made('phone.jpg'), samsungTrailer()),
  'motion-photo.jpg': () => joined(made('phone.jpg'), made('fragmented.mp4')),
  'stereo-camera.jpg': () => {
    const plain = made('cmyk-progressive.jpg');
    return withPictures(joined(plain, Buffer.alloc(45)), [plain]);
  },
  'stray-byte.jpg': () => joined(made('phone.jpg'), '\0'),
  'ape-id3v1.mp3': () => joined(made('whole.mp3'), apeAndId3v1()),
  'excel.csv': () => Buffer.from(table, 'latin1'),
  'excel-utf-8.csv': () => joined(Buffer.from('\ufeff'), Buffer.from(table)),
  'excel-unicode.txt': () => Buffer.from(`\ufeff${table.replaceAll(';', '\t')}`, 'utf16le'),
  'notepad-russian.txt': () => Buffer.from('cff0e8e2e5f22c20ece8f021200d0a', 'hex'),
  'zeros-behind.pdf': () =>
    joined(
      readFileSync(new URL('../../../media/test/fixtures/files/ghostscript.pdf', import.meta.url)),
      '\r\n',
      Buffer.alloc(16),
    ),
  'word.docx': wordLike,
  'excel.xlsx': excelLike,
  'windows.zip': () => microsoftZip([{ name: 'Ordner/Brief.txt', content: letter }]),
};

mkdirSync(target, { recursive: true });
try {
  for (const [name, command] of Object.entries(commands)) {
    const { code, complaint } = await runTool('bash', ['-ec', command], { cwd: work });
    if (code !== 0) throw new Error(`${name}: ${complaint}`);
    writeFileSync(join(target, name), made(name));
  }
  for (const [name, make] of Object.entries(assembled)) writeFileSync(join(target, name), make());
} finally {
  rmSync(work, { recursive: true, force: true });
}
