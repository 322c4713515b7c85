// The archive of a backup: archives of earlier versions are read, and a hostile or damaged one is refused in bounded memory.
import assert from 'node:assert/strict';
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { after, describe, it } from 'node:test';
import { type Header, pack } from 'tar-stream';
import { packFolder, withBackupFolder } from '../../src/backup/backup-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-archive-'));
const archive = join(folder, 'backup.tar');

type Contents = Record<string, string>;

function contentsOf(root: string): Contents {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(paths.map((path) => [path.slice(root.length + 1), readFileSync(path, 'utf8')]));
}

async function unpacked(bytes: Buffer): Promise<Contents> {
  writeFileSync(archive, bytes);
  return withBackupFolder(archive, async (root) => contentsOf(root));
}

type Entry = Partial<Header> & { readonly name: string; readonly text?: string };

async function tarOf(...entries: readonly Entry[]): Promise<Buffer> {
  const stream = pack();
  for (const { text = '', ...header } of entries) stream.entry(header, text);
  stream.finalize();
  return Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>));
}

/** A header of any type, with a valid checksum. */
function headOf(name: string, type: string, size: number | string): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0, 100);
  head.write('0000600\0', 100);
  head.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  head.write(type, 156);
  head.write('ustar\x0000', 257);
  head.write('        ', 148);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return head;
}

const padded = (text: string) => Buffer.concat([Buffer.from(text), Buffer.alloc(512 - (text.length % 512))]);

const refused = { message: /^The file is not a backup, or it is incomplete/ };

describe('the archive of a backup', () => {
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('unpacking a backup archive gives every file with its bytes, empty files included', async () => {
    const source = join(folder, 'source');
    mkdirSync(join(source, 'files', 'ab'), { recursive: true });
    writeFileSync(join(source, 'manifest.json'), '{}');
    for (const size of [0, 1, 511, 512, 513, 200_000])
      writeFileSync(join(source, 'files', 'ab', `${size}`), 'x'.repeat(size));
    await packFolder(source, join(folder, 'packed.tar'));
    assert.deepEqual(await unpacked(readFileSync(join(folder, 'packed.tar'))), contentsOf(source));
    await assert.rejects(packFolder(source, join(folder, 'packed.tar')), { code: 'EEXIST' });
  });

  it('a backup archive of the first version, without the ustar magic, is readable', async () => {
    const bytes = readFileSync(new URL('../fixtures/backups/archive-without-magic.tar', import.meta.url));
    assert.notEqual(bytes.toString('latin1', 257, 262), 'ustar');
    assert.deepEqual(await unpacked(bytes), {
      'manifest.json': '{"format":"gatehouse backup 2"}\n',
      empty: '',
      'files/ab/abcdef': 'g'.repeat(700),
    });
  });

  it('a backup archive with the extended headers of other tar programs is readable', async () => {
    const name = `files/${'a'.repeat(120)}`;
    assert.deepEqual(await unpacked(await tarOf({ name, text: 'x', pax: { comment: 'hello' } })), { [name]: 'x' });
    const long = Buffer.concat([
      headOf('././@LongLink', 'L', name.length),
      padded(name),
      await tarOf({ name: 'x', text: 'y' }),
    ]);
    assert.deepEqual(await unpacked(long), { [name]: 'y' });
  });

  const outside = '../outside';
  const hostile: Record<string, Promise<Buffer>> = {
    'a path that leads outside': tarOf({ name: outside, text: 'x' }),
    'a path that leads outside in its middle': tarOf({ name: 'files/../../outside', text: 'x' }),
    'an absolute path': tarOf({ name: join(folder, 'outside'), text: 'x' }),
    'an extended path that leads outside': tarOf({ name: 'x', pax: { path: outside }, text: 'x' }),
    'a long path that leads outside': tarOf({ name: 'x', text: 'y' }).then((rest) =>
      Buffer.concat([headOf('././@LongLink', 'L', outside.length), padded(outside), rest]),
    ),
    'a path with a NUL': tarOf({ name: 'x', pax: { path: 'a\0b' }, text: 'x' }),
    'a Windows path': tarOf({ name: 'files\\..\\..\\outside', text: 'x' }),
    'an empty name': tarOf({ name: '', text: 'x' }),
    'a symbolic link': tarOf({ name: 'link', type: 'symlink', linkname: '/etc' }),
    'a hard link': tarOf({ name: 'link', type: 'link', linkname: '/etc/passwd' }),
    'a device': tarOf({ name: 'device', type: 'character-device' }),
    'a name that is a folder of another': tarOf({ name: 'files', text: 'x' }, { name: 'files/a', text: 'x' }),
    'an absurdly long name': tarOf({ name: `files/${'a'.repeat(300)}`, text: 'x' }),
    'a name of many folders': tarOf({ name: 'a/a/a/a/a/a', text: 'x' }),
    'a name with a command for the terminal': tarOf({ name: 'x', pax: { path: '\u001b[2Jx' }, text: 'x' }),
    'garbage behind its end': tarOf({ name: 'x', text: 'x' }).then((bytes) =>
      Buffer.concat([bytes, Buffer.from('garbage'.repeat(100))]),
    ),
    'an unknown type': Promise.resolve(Buffer.concat([headOf('x', 'Z', 0), Buffer.alloc(1024)])),
    'a size that is not a number': Promise.resolve(
      Buffer.concat([headOf('x', '0', 'no digits..'), Buffer.alloc(1024)]),
    ),
    'a size beyond its end': Promise.resolve(Buffer.concat([headOf('x', '0', 2 ** 32), Buffer.alloc(1024)])),
    'content that is not a tar': Promise.resolve(Buffer.from('PK\x03\x04'.repeat(1000))),
  };
  for (const [name, bytes] of Object.entries(hostile)) {
    it(`a backup archive with ${name} is refused and leaves no file on disk`, async () => {
      await assert.rejects(unpacked(await bytes), refused);
      assert.deepEqual(
        readdirSync(folder).filter((entry) => /outside|unpacked|link/.test(entry)),
        [],
      );
    });
  }

  it('a backup archive with any byte of a header changed is refused', async () => {
    const bytes = await tarOf({ name: 'manifest.json', text: '{}' });
    // The two bytes after the digits of the checksum have no meaning.
    for (const at of Array.from({ length: 512 }, (_, index) => index).filter(
      (index) => index !== 154 && index !== 155,
    )) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(at) ^ 0x41, at);
      await assert.rejects(unpacked(changed), refused, `byte ${at}`);
    }
  });

  it('a backup archive cut off inside a file or a header is refused', async () => {
    const bytes = await tarOf({ name: 'manifest.json', text: '{}' }, { name: 'files/a', text: 'x'.repeat(3000) });
    const dataEnd = 2 * 512 + 512 + 3000;
    for (let length = 1; length < dataEnd; length += 61) {
      if (length !== 2 * 512) await assert.rejects(unpacked(bytes.subarray(0, length)), refused, `${length} bytes`);
    }
  });

  it('a backup archive that names a file twice is refused', async () => {
    const twice = await tarOf({ name: 'manifest.json', text: '{}' }, { name: 'manifest.json', text: '[]' });
    await assert.rejects(unpacked(twice), /incomplete: the entry “manifest\.json” comes twice/);
  });

  it('a backup archive with a 256 MiB header is refused in bounded memory', async () => {
    const size = 256 * 2 ** 20;
    const chunk = Buffer.alloc(2 ** 20, 'a');
    const body = Array.from({ length: size / chunk.length }, () => chunk);
    for (const type of ['L', 'x', 'g']) {
      await pipeline(Readable.from([headOf('x', type, size), ...body]), createWriteStream(archive));
      const before = process.resourceUsage().maxRSS;
      await assert.rejects(
        withBackupFolder(archive, async () => undefined),
        refused,
      );
      assert.ok(process.resourceUsage().maxRSS - before < 64 * 1024, type);
    }
  });
});
