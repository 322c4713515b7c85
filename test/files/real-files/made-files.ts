// Files made by the programs that people make files with. Each command writes the file of its name into the current folder.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { eachOf, missingPrograms, runTool } from './run-tool.ts';
import type { SourcePackage } from './source-packages.ts';

type Commands = Readonly<Record<string, string>>;

const ffmpeg = 'ffmpeg -nostdin -v error -y';
const tone = '-f lavfi -i sine=frequency=440:sample_rate=44100:duration=1';
const film = '-f lavfi -i testsrc2=size=160x120:rate=25:duration=1';
const x264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p';
const aac = '-c:a aac -b:a 64k';
const place = '-metadata location=+52.5200+013.4050/ -metadata make=Phone -metadata model=Pocket';

const sounds: Commands = {
  'cbr.mp3': `${ffmpeg} ${tone} -b:a 128k cbr.mp3`,
  'vbr.mp3': `${ffmpeg} ${tone} -q:a 4 vbr.mp3`,
  'abr.mp3': `${ffmpeg} ${tone} -abr 1 -b:a 96k abr.mp3`,
  'id3v1-id3v23.mp3': `${ffmpeg} ${tone} -metadata title=A -id3v2_version 3 -write_id3v1 1 id3v1-id3v23.mp3`,
  'no-tags.mp3': `${ffmpeg} ${tone} -write_xing 0 -id3v2_version 0 no-tags.mp3`,
  'mpeg2.mp3': `${ffmpeg} ${tone} -ar 22050 -ac 1 -b:a 32k mpeg2.mp3`,
  'mpeg25.mp3': `${ffmpeg} ${tone} -ar 8000 -ac 1 -b:a 8k mpeg25.mp3`,
  'joint-stereo.mp3': `${ffmpeg} ${tone} -ac 2 -joint_stereo 1 -b:a 160k joint-stereo.mp3`,
  'cover.mp3': `${ffmpeg} ${tone} ${film} -map 0:a -map 1:v -frames:v 1 -c:v mjpeg -disposition:v attached_pic cover.mp3`,
  'cut.mp3': `${ffmpeg} ${tone} -b:a 128k whole.mp3 && head -c -100 whole.mp3 >cut.mp3 && rm whole.mp3`,
  'pipe.mp3': `${ffmpeg} ${tone} -f mp3 - >pipe.mp3`,
  'aac.m4a': `${ffmpeg} ${tone} ${aac} aac.m4a`,
  'alac.m4a': `${ffmpeg} ${tone} -c:a alac alac.m4a`,
  'faststart.m4a': `${ffmpeg} ${tone} ${aac} -movflags faststart -metadata title=A faststart.m4a`,
  'fragmented.m4a': `${ffmpeg} ${tone} ${aac} -movflags frag_keyframe+empty_moov fragmented.m4a`,
  'opus.m4a': `${ffmpeg} ${tone} -c:a libopus -f mp4 opus.m4a`,
  'sound-only.mp4': `${ffmpeg} ${tone} ${aac} sound-only.mp4`,
  'vorbis.ogg': `${ffmpeg} ${tone} -c:a libvorbis vorbis.ogg`,
  'tagged.ogg': `${ffmpeg} ${tone} -c:a libvorbis -metadata title=Ton -metadata artist=Ünal tagged.ogg`,
  'opus.opus': `${ffmpeg} ${tone} -c:a libopus opus.opus`,
  'flac.oga': `${ffmpeg} ${tone} -c:a flac -f ogg flac.oga`,
  'pcm16.wav': `${ffmpeg} ${tone} pcm16.wav`,
  'pcm24.wav': `${ffmpeg} ${tone} -c:a pcm_s24le pcm24.wav`,
  'pcm8.wav': `${ffmpeg} ${tone} -c:a pcm_u8 -ar 11025 pcm8.wav`,
  'float.wav': `${ffmpeg} ${tone} -c:a pcm_f32le float.wav`,
  'surround.wav': `${ffmpeg} ${tone} -ac 6 -c:a pcm_s24le surround.wav`,
  'alaw.wav': `${ffmpeg} ${tone} -c:a pcm_alaw alaw.wav`,
  'adpcm.wav': `${ffmpeg} ${tone} -c:a adpcm_ms adpcm.wav`,
  'broadcast.wav': `${ffmpeg} ${tone} -write_bext 1 -metadata description=A broadcast.wav`,
  'pipe.wav': `${ffmpeg} ${tone} -f wav - >pipe.wav`,
};

const films: Commands = {
  'h264.mp4': `${ffmpeg} ${film} ${tone} ${x264} ${aac} h264.mp4`,
  'faststart.mp4': `${ffmpeg} ${film} ${tone} ${x264} ${aac} -movflags faststart faststart.mp4`,
  'fragmented.mp4': `${ffmpeg} ${film} ${tone} ${x264} ${aac} -movflags frag_keyframe+empty_moov fragmented.mp4`,
  'cmaf.mp4': `${ffmpeg} ${film} ${tone} ${x264} ${aac} -movflags cmaf+dash+delay_moov cmaf.mp4`,
  'global-index.mp4': `${ffmpeg} ${film} ${x264} -movflags dash+global_sidx global-index.mp4`,
  'pipe.mp4': `${ffmpeg} ${film} ${tone} ${x264} ${aac} -f mp4 -movflags frag_keyframe+empty_moov - >pipe.mp4`,
  'hevc.mp4': `${ffmpeg} ${film} -c:v libx265 -x265-params log-level=error -tag:v hvc1 hevc.mp4`,
  'av1.mp4': `${ffmpeg} ${film} -c:v libaom-av1 -cpu-used 8 -usage realtime av1.mp4`,
  'vp9.mp4': `${ffmpeg} ${film} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 vp9.mp4`,
  'mpeg4.mp4': `${ffmpeg} ${film} -c:v mpeg4 mpeg4.mp4`,
  'rotated.mp4': `${ffmpeg} ${film} ${x264} base.mp4 && ${ffmpeg} -i base.mp4 -c copy -metadata:s:v rotate=90 ${place} rotated.mp4 && rm base.mp4`,
  'tags.mp4': `${ffmpeg} ${film} ${x264} -movflags use_metadata_tags ${place} tags.mp4`,
  'subtitles.mp4': `printf '1\\n00:00:00,000 --> 00:00:00,900\\nHallo\\n' >in.srt && ${ffmpeg} ${film} -i in.srt ${x264} -c:s mov_text subtitles.mp4 && rm in.srt`,
  'two-sounds.mp4': `${ffmpeg} ${film} ${tone} ${tone} -map 0 -map 1 -map 2 ${x264} ${aac} two-sounds.mp4`,
  'variable-rate.mp4': `${ffmpeg} ${film} ${x264} -vf "select='not(mod(n,3))'" -vsync vfr variable-rate.mp4`,
  'mobile.3gp.mp4': `${ffmpeg} ${film} -c:v mpeg4 -f 3gp mobile.3gp.mp4`,
  'itunes.m4v.mp4': `${ffmpeg} ${film} ${tone} ${x264} ${aac} -f ipod itunes.m4v.mp4`,
  'camera.mov': `${ffmpeg} ${film} ${tone} ${x264} ${aac} ${place} camera.mov`,
  'vp8.webm': `${ffmpeg} ${film} ${tone} -c:v libvpx -deadline realtime -c:a libvorbis vp8.webm`,
  'vp9.webm': `${ffmpeg} ${film} ${tone} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -c:a libopus vp9.webm`,
  'alpha.webm': `${ffmpeg} ${film} -c:v libvpx -deadline realtime -pix_fmt yuva420p -auto-alt-ref 0 alpha.webm`,
  'av1.webm': `${ffmpeg} ${film} -c:v libaom-av1 -cpu-used 8 -usage realtime av1.webm`,
  'sound.webm': `${ffmpeg} ${tone} -c:a libopus sound.webm`,
  'live.webm': `${ffmpeg} ${film} -c:v libvpx -deadline realtime -live 1 live.webm`,
  'dash.webm': `${ffmpeg} ${film} -c:v libvpx-vp9 -deadline realtime -cpu-used 8 -dash 1 dash.webm`,
  'cues-first.webm': `${ffmpeg} ${film} -c:v libvpx -deadline realtime -cues_to_front 1 cues-first.webm`,
  'pipe.webm': `${ffmpeg} ${film} ${tone} -c:v libvpx -deadline realtime -c:a libopus -f webm - >pipe.webm`,
  'subtitles.webm': `printf 'WEBVTT\\n\\n00:00.000 --> 00:00.900\\nHallo\\n' >in.vtt && ${ffmpeg} ${film} -i in.vtt -c:v libvpx -deadline realtime -c:s webvtt subtitles.webm && rm in.vtt`,
};

const noise = 'convert -size 96x64 -seed 1 plasma:red-blue';
const phone =
  '-Make=Phone -Model=Pocket -SerialNumber=12345678 -GPSLatitude=52.52 -GPSLatitudeRef=N -GPSLongitude=13.405 -GPSLongitudeRef=E -Orientation#=6 -XMP:Creator=Anna -Comment=Secret';
const withTags = (name: string) => `exiftool -q -overwrite_original ${phone} ${name}`;

const pictures: Commands = {
  'baseline.jpg': `${noise} baseline.jpg`,
  'progressive.jpg': `${noise} -interlace JPEG progressive.jpg`,
  'grey.jpg': `${noise} -colorspace Gray grey.jpg`,
  'cmyk.jpg': `${noise} -colorspace CMYK cmyk.jpg`,
  'restart.jpg': `${noise} ppm:- | cjpeg -restart 1 >restart.jpg`,
  'arithmetic.jpg': `${noise} ppm:- | cjpeg -arithmetic >arithmetic.jpg`,
  'sampling.jpg': `${noise} -sampling-factor 4:1:1 sampling.jpg`,
  'phone.jpg': `${noise} phone.jpg && ${withTags('phone.jpg')}`,
  'thumbnail.jpg': `${noise} thumb.jpg && ${noise} thumbnail.jpg && ${withTags('thumbnail.jpg')} && exiftool -q -overwrite_original '-ThumbnailImage<=thumb.jpg' thumbnail.jpg && rm thumb.jpg`,
  'photoshop.jpg': `${noise} photoshop.jpg && exiftool -q -overwrite_original -IPTC:City=Berlin -Photoshop:XResolution=300 -XMP:City=Berlin photoshop.jpg`,
  'trailer.jpg': `${noise} trailer.jpg && printf 'trailer' >>trailer.jpg`,
  'motion.jpg': `${noise} motion.jpg && ${ffmpeg} ${film} ${x264} behind.mp4 && cat behind.mp4 >>motion.jpg && rm behind.mp4`,
  'grey.png': `${noise} -colorspace Gray grey.png`,
  'grey-1.png': `${noise} -colorspace Gray -depth 1 -monochrome grey-1.png`,
  'grey-16.png': `${noise} -colorspace Gray -depth 16 grey-16.png`,
  'grey-alpha.png': `${noise} -colorspace Gray -alpha set -channel A -evaluate set 50% png:grey-alpha.png`,
  'palette-2.png': `${noise} -colors 4 PNG8:palette-2.png`,
  'palette-8.png': `${noise} -colors 200 PNG8:palette-8.png`,
  'rgb.png': `${noise} PNG24:rgb.png`,
  'rgba.png': `${noise} -alpha set -channel A -evaluate set 50% PNG32:rgba.png`,
  'rgb-16.png': `${noise} -depth 16 PNG48:rgb-16.png`,
  'interlaced.png': `${noise} -interlace PNG interlaced.png`,
  'phone.png': `${noise} phone.png && ${withTags('phone.png')}`,
  'animated.png': `${ffmpeg} ${film} -frames:v 5 -f apng animated.png`,
  'animated.gif': `${ffmpeg} ${film} -r 5 animated.gif`,
  'interlaced.gif': `${noise} -interlace GIF interlaced.gif`,
  'transparent.gif': `${noise} -transparent red -set comment words transparent.gif`,
  'optimised.gif': `${noise} \\( +clone -negate \\) -loop 0 -layers optimize optimised.gif`,
  'lossy.webp': `${noise} lossy.webp`,
  'lossless.webp': `${noise} -define webp:lossless=true lossless.webp`,
  'alpha.webp': `${noise} -alpha set -channel A -evaluate set 50% alpha.webp`,
  'animated.webp': `${noise} \\( +clone -negate \\) -loop 0 animated.webp`,
  'phone.webp': `${noise} phone.webp && ${withTags('phone.webp')}`,
  'still.heic': `${noise} still-in.png && heif-enc -q 50 -o still.heic still-in.png && rm still-in.png`,
  'phone.heic': `${noise} phone-in.jpg && ${withTags('phone-in.jpg')} && heif-enc -q 50 -o phone.heic phone-in.jpg && rm phone-in.jpg`,
  'alpha.heic': `${noise} -alpha set -channel A -evaluate set 50% alpha-in.png && heif-enc -o alpha.heic alpha-in.png && rm alpha-in.png`,
  'thumbnail.heic': `${noise} -resize 400% small-in.png && heif-enc -t 64 -o thumbnail.heic small-in.png && rm small-in.png`,
  'lossless.heic': `${noise} loss-in.png && heif-enc -L -o lossless.heic loss-in.png && rm loss-in.png`,
  'still.avif': `${noise} av-in.jpg && heif-enc -A -o still.avif av-in.jpg && rm av-in.jpg`,
  'phone.avif': `${noise} avp-in.jpg && ${withTags('avp-in.jpg')} && heif-enc -A -o phone.avif avp-in.jpg && rm avp-in.jpg`,
  'ffmpeg.avif': `${ffmpeg} ${film} -frames:v 1 -c:v libaom-av1 -still-picture 1 ffmpeg.avif`,
};

const python = (text: string) => `python3 -c "${text}"`;
const pythonZip = (name: string, method: string) =>
  python(
    `import zipfile\nwith zipfile.ZipFile('${name}','w',zipfile.${method}) as z: z.writestr('ö/a.txt','words '*99)`,
  );
/** One word on one page. */
const page = new URL('../../../media/test/fixtures/files/ghostscript.pdf', import.meta.url).pathname;

const documents: Commands = {
  'plain.pdf': `qpdf '${page}' plain.pdf`,
  'linearised.pdf': `qpdf --linearize '${page}' linearised.pdf`,
  'object-streams.pdf': `qpdf --object-streams=generate '${page}' object-streams.pdf`,
  'encrypted.pdf': `qpdf --encrypt u o 256 -- '${page}' encrypted.pdf`,
  'zeros-behind.pdf': `qpdf '${page}' zeros-behind.pdf && printf '\\r\\n\\r\\n\\0\\0\\0\\0' >>zeros-behind.pdf`,
  'infozip.zip': 'mkdir -p one/two && echo words >one/two/wörter.txt && zip -q -r infozip.zip one',
  'comment.zip': "echo words >c.txt && zip -q comment.zip c.txt && echo 'a comment' | zip -q -z comment.zip",
  'streamed.zip': 'echo words | zip -q - - >streamed.zip',
  'zip64.zip': 'echo words >z.txt && zip -q -fz zip64.zip z.txt',
  'python-stored.zip': pythonZip('python-stored.zip', 'ZIP_STORED'),
  'python-deflated.zip': pythonZip('python-deflated.zip', 'ZIP_DEFLATED'),
  'python-bzip2.zip': pythonZip('python-bzip2.zip', 'ZIP_BZIP2'),
  '7zip.zip': 'echo words >7.txt && 7z a -bso0 7zip.zip 7.txt',
};

/** Only where LibreOffice is installed: it is large. */
const office = (ending: string, from: string) =>
  `printf 'Name,Größe\\nMüller,12\\n' >office-${ending}.${from} && soffice -env:UserInstallation=file://$PWD/profile-${ending} --headless --convert-to ${ending} office-${ending}.${from}`;

const officeDocuments: Commands = {
  'office-docx.docx': office('docx', 'txt'),
  'office-odt.odt': office('odt', 'txt'),
  'office-pdf.pdf': office('pdf', 'txt'),
  'office-xlsx.xlsx': office('xlsx', 'csv'),
};

const russian = 'Имя;Город;Сумма\\r\\nБорис;Москва;12,50\\r\\n';
const german = 'Name;Ort;Betrag\\r\\nMüller;Köln;12,50\\r\\nGröße;Straße;7\\r\\n';
const japanese = '名前,都市\\r\\n山田,東京都\\r\\n';
const convertText = (text: string, charset: string, name: string) =>
  `printf '${text}' | iconv -f UTF-8 -t ${charset} >${name}`;
const encoded = (name: string, text: string, charset: string) => [name, convertText(text, charset, name)] as const;

const texts: Commands = Object.fromEntries([
  ...['ISO-8859-1', 'ISO-8859-15', 'WINDOWS-1252', 'CP850', 'CP437', 'MACINTOSH'].map((charset) =>
    encoded(`german-${charset}.csv`, german, charset),
  ),
  ...['WINDOWS-1251', 'KOI8-R', 'ISO-8859-5', 'CP866'].map((charset) =>
    encoded(`russian-${charset}.csv`, russian, charset),
  ),
  ...['SHIFT_JIS', 'EUC-JP', 'GB18030'].map((charset) => encoded(`japanese-${charset}.csv`, japanese, charset)),
  encoded('greek.txt', 'Καλημέρα κόσμε\\n', 'ISO-8859-7'),
  encoded('turkish.txt', 'Iğdır, İstanbul, şeker\\n', 'ISO-8859-9'),
  encoded('polish.txt', 'Zażółć gęślą jaźń\\n', 'WINDOWS-1250'),
  encoded('hebrew.txt', 'שלום עולם\\n', 'WINDOWS-1255'),
  encoded('arabic.txt', 'مرحبا بالعالم\\n', 'WINDOWS-1256'),
  encoded('chinese.txt', '你好，世界。這是一個檔案\\n', 'BIG5'),
  encoded('korean.txt', '안녕하세요 세계\\n', 'EUC-KR'),
  // With a byte order mark, as Excel's "Unicode text".
  encoded('unicode.txt', russian, 'UTF-16'),
  ['utf-8-mark.csv', `printf '\\357\\273\\277${german}' >utf-8-mark.csv`],
]);

/** One folder for each family. A second run finds what the first has made. Names the files that could not be made. */
export async function makeFiles(cache: string): Promise<{ made: SourcePackage[]; failed: string[] }> {
  const failed: string[] = [];
  const ofOffice = missingPrograms({ soffice: 'libreoffice' }).length === 0 ? { office: officeDocuments } : {};
  const families = Object.entries({ sounds, films, pictures, documents, texts, ...ofOffice });
  const made = await eachOf(families, 1, async ([name, commands]) => {
    const folder = join(cache, `made-${name}-${digestOf(commands)}`);
    if (!existsSync(folder)) {
      const partial = `${folder}.partial`;
      rmSync(partial, { recursive: true, force: true });
      mkdirSync(partial, { recursive: true });
      failed.push(...(await makeAll(commands, partial)));
      renameSync(partial, folder);
    }
    return { name: `made: ${name}`, folder };
  });
  return { made, failed };
}

async function makeAll(commands: Commands, folder: string): Promise<string[]> {
  const done = await eachOf(Object.entries(commands), 2, async ([name, command]) => {
    const { code, complaint } = await runTool('bash', ['-c', command], { cwd: folder });
    const isMade = code === 0 && existsSync(join(folder, name)) && statSync(join(folder, name)).size > 0;
    if (!isMade) rmSync(join(folder, name), { force: true });
    return isMade ? [] : [`${name}: ${complaint.split('\n')[0] ?? ''}`];
  });
  const others = readdirSync(folder).filter((name) => !Object.hasOwn(commands, name));
  for (const name of others) rmSync(join(folder, name), { recursive: true });
  return done.flat();
}

function digestOf(commands: Commands): string {
  return createHash('sha256').update(JSON.stringify(commands)).digest('hex').slice(0, 12);
}
