// The answers of S3 as XML: every spelling of the same list is read alike, and an incomplete list is never read as an empty one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type ListPage, parseListPage } from '../../../src/adapters/s3/s3-list-page.ts';
import { errorCodeOf } from '../../../src/adapters/s3/s3-outcome.ts';
import { seed } from '../../helpers/faults/rounds.ts';

const at = '2026-01-02T03:04:05.000Z';
const head = '<?xml version="1.0" encoding="UTF-8"?>\n';

function contents(key: string, prefix = ''): string {
  const p = prefix;
  return `<${p}Contents><${p}Key>${key}</${p}Key><${p}LastModified>${at}</${p}LastModified><${p}ETag>"&quot;"</${p}ETag><${p}Size>7</${p}Size><${p}Owner><${p}ID>Key</${p}ID></${p}Owner></${p}Contents>`;
}

function list(...inside: readonly string[]): string {
  return `${head}<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inside.join('')}</ListBucketResult>`;
}

const last = '<IsTruncated>false</IsTruncated>';
const more = '<IsTruncated>true</IsTruncated><NextContinuationToken>a&amp;b=</NextContinuationToken>';

function page(keys: readonly string[], next?: string): ListPage {
  return { objects: keys.map((key) => ({ key, size: 7, modifiedAt: Date.parse(at) })), next };
}

describe('a list of S3', () => {
  const read: Record<string, [string, ListPage]> = {
    'no objects': [list(last), page([])],
    'no objects, and a count of them': [`<ListBucketResult><KeyCount>0</KeyCount>${last}</ListBucketResult>`, page([])],
    'one object': [list(last, contents('a')), page(['a'])],
    'objects around everything else': [list(contents('a'), last, '<Prefix/>', contents('b')), page(['a', 'b'])],
    'further pages': [list(more, contents('a')), page(['a'], 'a&b=')],
    'a token on the last page': [list(last, '<NextContinuationToken>x</NextContinuationToken>'), page([])],
    'a byte order mark and line breaks': [`\uFEFF\n${list(last, contents('a'))}\n\n`, page(['a'])],
    'white space between elements': [
      list('\n  ', last, '\r\n\t', contents('a').replaceAll('><', '>\n<'), '\n'),
      page(['a']),
    ],
    'percent-encoded keys': [
      list('<EncodingType>url</EncodingType>', last, contents('a%01b+c%2Bd%2F%C3%A9')),
      page(['a\u0001b c+d/é']),
    ],
    'named entities in a key': [list(last, contents('a&amp;&lt;&gt;&quot;&apos;')), page(['a&<>"\''])],
    'numbered entities in a key': [list(last, contents('&#97;&#x1F600;&#x0D;')), page(['a\u{1F600}\r'])],
    'an entity that is escaped': [list(last, contents('&amp;lt;')), page(['&lt;'])],
    'a key in CDATA': [list(last, contents('<![CDATA[a<b>&amp;</Key>]]>')), page(['a<b>&amp;</Key>'])],
    'a comment in a key': [list(last, contents('a<!-- b -->c')), page(['ac'])],
    'a comment that looks like an object': [list(last, `<!--${contents('a')}-->`), page([])],
    'a key like markup': [list(last, contents('&lt;/Contents&gt;')), page(['</Contents>'])],
    'an empty key': [list(last, contents('')), page([''])],
    attributes: [list(last, contents('a').replace('<Key>', '<Key lang="en">')), page(['a'])],
    'a prefix of the namespace': [
      `<s3:ListBucketResult xmlns:s3="http://s3.amazonaws.com/doc/2006-03-01/"><s3:IsTruncated>false</s3:IsTruncated>${contents('a', 's3:')}</s3:ListBucketResult>`,
      page(['a']),
    ],
    'an object further down, which does not count': [list(last, `<Other>${contents('a')}</Other>`), page([])],
  };
  for (const [name, [xml, expected]] of Object.entries(read)) {
    it(`a list of S3 is read with ${name}`, () => {
      assert.deepEqual(parseListPage(xml), expected);
    });
  }

  const whole = list(last, contents('a'), contents('b'));
  const refused: Record<string, string> = {
    'a key that is not percent-encoded': list('<EncodingType>url</EncodingType>', last, contents('a%zz')),
    nothing: '',
    'white space': '  \n',
    'plain text': 'Service Unavailable',
    JSON: '{"ListBucketResult":{}}',
    'a page of HTML': '<!doctype html><title>Welcome</title>',
    'an error': `${head}<Error><Code>SlowDown</Code></Error>`,
    'an element around it': `<Answer>${list(last)}</Answer>`,
    'something behind it': `${list(last)}<ListBucketResult/>`,
    'an empty root': '<ListBucketResult/>',
    'IsTruncated missing': list(contents('a')),
    'IsTruncated in another spelling': list('<IsTruncated>False</IsTruncated>'),
    'IsTruncated twice': list(last, last),
    'further pages without a token': list('<IsTruncated>true</IsTruncated>'),
    'further pages with an empty token': list('<IsTruncated>true</IsTruncated><NextContinuationToken/>'),
    'further pages with two tokens': list(more, '<NextContinuationToken>c</NextContinuationToken>'),
    'an empty object': list(last, '<Contents/>'),
    'an object without key': list(last, contents('a').replace('<Key>a</Key>', '')),
    'an object with two keys': list(last, contents('a').replace('<Key>', '<Key>b</Key><Key>')),
    'a key with an element inside': list(last, contents('a<b>c</b>')),
    'an object without size': list(last, contents('a').replace('<Size>7</Size>', '')),
    'a size that is negative': list(last, contents('a').replace('>7<', '>-7<')),
    'a size that is hexadecimal': list(last, contents('a').replace('>7<', '>0x7<')),
    'a size that is too long': list(last, contents('a').replace('>7<', `>${'9'.repeat(16)}<`)),
    'an object without time': list(last, contents('a').replace(at, '')),
    'an unknown entity': list(last, contents('&nbsp;')),
    'an entity of its own': `<!DOCTYPE x [<!ENTITY k "a">]>${list(last, contents('&k;')).slice(head.length)}`,
    'a file by an entity': `<!DOCTYPE x [<!ENTITY k SYSTEM "file:///etc/passwd">]>${list(last, contents('&k;')).slice(head.length)}`,
    'an ampersand alone': list(last, contents('a&b')),
    'a NUL': list(last, contents('a\0')),
    'a character that XML forbids': list(last, contents('&#x1;')),
    'tags that overlap': list(last, '<Contents><Key>a</Contents></Key>'),
    'unclosed endless nesting': '<ListBucketResult>'.repeat(200_000),
    'closed endless nesting': `${'<a>'.repeat(200_000)}${'</a>'.repeat(200_000)}`,
  };
  for (const [name, xml] of Object.entries(refused)) {
    it(`a list of S3 is refused if it is or has: ${name}`, () => {
      assert.equal(parseListPage(xml), undefined);
    });
  }

  it('a list of S3 is refused wherever it was cut off', () => {
    for (let length = 0; length < whole.length; length++)
      assert.equal(parseListPage(whole.slice(0, length)), undefined);
    assert.deepEqual(parseListPage(whole), page(['a', 'b']));
  });

  it('any objects in any order are read from a list of S3 as they were written, with or without percent-encoding', () => {
    const object = fc.record(
      {
        key: fc
          .array(fc.constantFrom('a', 'é', '/', ' ', '+', '%', '&', '<', '>', '"', '😀'), { maxLength: 6 })
          .map((letters) => letters.join('')),
        size: fc.nat(2 ** 40),
        modifiedAt: fc.nat(4e12),
      },
      { noNullPrototype: true },
    );
    const asEntity = (text: string) => text.replace(/[&<>]/g, (letter) => `&#${letter.charCodeAt(0)};`);
    fc.assert(
      fc.property(fc.array(object, { maxLength: 5 }), fc.boolean(), fc.boolean(), (objects, isEncoded, hasMore) => {
        const written = objects.map(({ key, size, modifiedAt }) => {
          const spelled = isEncoded ? encodeURIComponent(key).replaceAll('%20', '+') : asEntity(key);
          const time = new Date(modifiedAt).toISOString();
          return `<Contents><Key>${spelled}</Key><LastModified>${time}</LastModified><Size>${size}</Size></Contents>`;
        });
        const xml = list(isEncoded ? '<EncodingType>url</EncodingType>' : '', ...written, hasMore ? more : last);
        assert.deepEqual(parseListPage(xml), { objects, next: hasMore ? 'a&b=' : undefined });
      }),
      { numRuns: 150, seed },
    );
  });

  it('entities of a list of S3 are never expanded', () => {
    const levels = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`);
    const bomb = `<!DOCTYPE x [<!ENTITY l0 "lol">${levels.join('')}]>${list(last, contents('&l9;')).slice(head.length)}`;
    assert.equal(parseListPage(bomb), undefined);
  });

  it('parsing a list of S3 takes time in proportion to its length, whatever its content', () => {
    // Time in proportion to the square would be minutes.
    const most = 2 ** 20;
    for (const piece of [
      '<',
      '&',
      '<a>',
      '<a ',
      ' ',
      ']]',
      '<!--',
      '&amp;',
      '<Contents>',
      '<![CDATA[',
      'a',
      '"',
      "<a b='",
    ]) {
      const text = `<ListBucketResult>${piece.repeat(most / piece.length)}`;
      const begin = process.cpuUsage();
      parseListPage(text);
      const { user, system } = process.cpuUsage(begin);
      assert.ok(user + system < 5_000_000, piece);
    }
  });
});

describe('an error of S3', () => {
  for (const [name, xml, code] of [
    ['as S3 writes it', `${head}<Error><Code>SlowDown</Code><Message>&lt;Code&gt;</Message></Error>`, 'SlowDown'],
    [
      'with a namespace',
      '<Error xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Code>NoSuchKey</Code></Error>',
      'NoSuchKey',
    ],
    ['with a prefix', '<a:Error xmlns:a="x"><a:Code>NoSuchKey</a:Code></a:Error>', 'NoSuchKey'],
    ['inside an answer', '<ErrorResponse><Error><Code>AccessDenied</Code></Error></ErrorResponse>', 'AccessDenied'],
    ['without code', '<Error><Message>no</Message></Error>', ''],
    ['with two codes', '<Error><Code>SlowDown</Code><Code>NoSuchKey</Code></Error>', ''],
    [
      'with a code in a quotation',
      '<Error><Code>AccessDenied</Code><Key><![CDATA[<Code>NoSuchKey</Code>]]></Key></Error>',
      'AccessDenied',
    ],
    ['with a code that is a sentence', '<Error><Code>Something went wrong</Code></Error>', ''],
    ['as a page', '<!doctype html><p><Code>NoSuchKey</Code>', ''],
    ['cut off', '<Error><Code>NoSuchKey</Code>', ''],
    ['as nothing', '', ''],
  ] as const) {
    it(`the code of an error of S3 is read: ${name}`, () => {
      assert.equal(errorCodeOf(xml), code);
    });
  }
});
