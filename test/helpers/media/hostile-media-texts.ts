// Hostile files that look like text: control characters, broken UTF-8, pages, drawings, scripts.
import type { HostileFile } from './hostile-media.ts';
import { joined } from './media-files.ts';

const filler = 'one line of words\n';

type Contents = Record<string, Buffer | string | number[]>;

const brokenTexts: Contents = {
  'an empty file': '',
  'a byte order mark and nothing else': [0xef, 0xbb, 0xbf],
  'a NUL in the middle': 'words\0words',
  'an escape sequence for terminals': 'words \x1b[2J words',
  'a vertical tab': 'words\x0bwords',
  'a stray continuation byte': [0x61, 0x80, 0x62],
  'an overlong slash': [0x61, 0xc0, 0xaf],
  'a surrogate in UTF-8': [0x61, 0xed, 0xa0, 0x80],
  'a code point beyond Unicode': [0x61, 0xf4, 0x90, 0x80, 0x80],
  'a character cut at the end': [0x61, 0xe2, 0x82],
  'Latin-1 text': 'caf\xe9',
  'UTF-16 text': [0xff, 0xfe, 0x61, 0x00, 0x62, 0x00],
};

const activeTexts: Contents = {
  'a page': '<!DOCTYPE html><title>x</title>',
  'a page behind a mark and blank lines': joined([0xef, 0xbb, 0xbf], '\r\n\t <HTML>'),
  'a page behind a comment': '<!-- only words --><p>x',
  'a drawing': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'an XML document': '<?xml version="1.0"?><a/>',
  'a script tag after words': 'words words <ScRiPt>alert(1)</script>',
  'a script tag 60 KB into the file': `${filler.repeat(3_300)}<script src=//x>`,
  'a drawing after words': 'words\n<svg/onload=alert(1)>',
  'a frame after words': 'words <iframe src="javascript:alert(1)">',
  'PHP after words': 'words <?php system("id");',
  PostScript: '%!PS-Adobe-3.0\n(x) show',
  'a shell script': '#!/bin/sh\nid\n',
  'rich text': '{\\rtf1\\ansi words}',
  'a control character after the first piece': joined(filler.repeat(5_000), '\x07'),
  'a character cut between pieces and never continued': joined('a'.repeat(65_535), [0xc3], 'b'),
};

export function hostileTexts(): HostileFile[] {
  return Object.entries({ ...brokenTexts, ...activeTexts }).map(([name, content]) => ({
    name: `text: ${name}`,
    bytes: joined(content),
    refusal: 'unknown',
  }));
}
