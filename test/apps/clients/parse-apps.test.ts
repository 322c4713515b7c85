// APPS_FILE: a list of apps is taken as a whole, or refused with every problem that it has.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseApps } from '../../../src/apps/clients/parse-apps.ts';
import { hashSecret } from '../../../src/apps/clients/secret-hash.ts';

const named = { id: 'shop', name: 'Shop', redirectUris: ['https://shop.example.com/callback'] };
const shop = { ...named, firstParty: true };
const hash = hashSecret('secret');

const noFile = () => assert.fail('no file is read');
const parse = (value: unknown) => parseApps(JSON.stringify(value), noFile);

describe('a file of apps', () => {
  it('an app that says only what it must is public, of the operator, and gets the usual scopes', () => {
    const expected = {
      ...named,
      logoutUris: [],
      secretHash: undefined,
      scopes: ['openid', 'phone', 'email', 'offline_access'],
      isFirstParty: true,
      logo: undefined,
    };
    assert.deepEqual(parse([shop]), { apps: [expected] });
    assert.deepEqual(parse({ apps: [shop] }), { apps: [expected] });
  });

  it('an app keeps everything that it says, with its scopes in their order', () => {
    const logoutUris = ['https://shop.example.com/bye'];
    const said = { logoutUris, secretHash: hash, scopes: ['files', 'openid'], firstParty: false };
    assert.deepEqual(parse([{ ...shop, ...said }]), {
      apps: [
        { ...named, logoutUris, secretHash: hash, scopes: ['openid', 'files'], isFirstParty: false, logo: undefined },
      ],
    });
  });

  it('an app must say whether it belongs to the operator: without firstParty it is refused, with the cure', () => {
    const problem =
      'app shop: firstParty is missing: write "firstParty": true if the app is yours, or "firstParty": false if it is not: then users are asked for consent';
    assert.deepEqual(parse([named]), { problems: [problem] });
    for (const wrong of [null, 'true', 0, []])
      assert.deepEqual(parse([{ ...named, firstParty: wrong }]), {
        problems: ['app shop: firstParty must be true or false'],
      });
  });

  it('a file may list no apps yet', () => {
    assert.deepEqual(parse([]), { apps: [] });
  });

  for (const [name, text] of [
    ['a number', '5'],
    ['null', 'null'],
    ['an object without a list', '{}'],
    ['an object with more than a list', JSON.stringify({ apps: [shop], version: 1 })],
  ] as const) {
    it(`${name} is no file of apps`, () => {
      assert.deepEqual(parseApps(text, noFile), {
        problems: ['must be a list of apps, or {"apps": […]} and nothing else'],
      });
    });
  }

  it('a text that is not JSON is no file of apps', () => {
    const hint = 'look for comments, single quotes, and commas too many or missing';
    const cases: [text: string, problem: string][] = [
      ['// apps\n[]', `is not JSON: ${hint}`],
      ['[\n  {"id": "shop" "name": "Shop"}\n]', `is not JSON in line 2, column 17: ${hint}`],
      ['[{"secret": "gas_the-secret" oops}]', `is not JSON in line 1, column 30: ${hint}`],
      [' \r\n', 'is empty: write [] for no apps'],
      ['[{"name": "Caf\uFFFD"}]', 'is not UTF-8: save it as UTF-8'],
    ];
    for (const [text, problem] of cases) assert.deepEqual(parseApps(text, noFile), { problems: [problem] }, text);
  });

  it('a file that begins with the mark of an editor, or ends its lines as Windows does, is read', () => {
    assert.deepEqual(
      parseApps(`\uFEFF${JSON.stringify([shop], undefined, 2).replaceAll('\n', '\r\n')}`, noFile),
      parse([shop]),
    );
  });

  it('a file lists at most 1000 apps', () => {
    const many = Array.from({ length: 1001 }, (_, index) => ({ ...shop, id: `a${index}` }));
    assert.deepEqual(parse(many), { problems: ['must list at most 1000 apps'] });
    assert.ok('apps' in parse(many.slice(1)));
  });

  it('all problems of all apps are reported at once, each with its app and its field', () => {
    const problems = [
      'app shop: id is used twice',
      'app 3 is not an object',
      'app 4: id must have 1 to 64 characters of A-Z, a-z, 0-9, “.”, “_” and “-”',
      'app 4: name must be plain text of 1 to 60 characters',
      'app last: “color” is not a known field',
      'app last: redirectUris must list at least one address, such as https://app.example.com/callback',
      'app last: firstParty must be true or false',
    ];
    const last = { id: 'last', name: 'Last', redirectUris: [], color: 'red', firstParty: 'no' };
    assert.deepEqual(parse([shop, shop, 5, { ...shop, id: 'a b', name: 'a\u202Eb' }, last]), { problems });
  });

  const one = (entry: object) => {
    const result = parse([{ ...shop, ...entry }]);
    return 'problems' in result ? result.problems : [];
  };

  for (const [name, entry, problem] of [
    [
      'an id of 65 characters',
      { id: 'a'.repeat(65) },
      'app 1: id must have 1 to 64 characters of A-Z, a-z, 0-9, “.”, “_” and “-”',
    ],
    ['an empty name', { name: '' }, 'app shop: name must be plain text of 1 to 60 characters'],
    ['a name of 61 characters', { name: 'a'.repeat(61) }, 'app shop: name must be plain text of 1 to 60 characters'],
    ['a name with a space at its end', { name: 'Shop ' }, 'app shop: name must be plain text of 1 to 60 characters'],
    [
      'one address without a list',
      { redirectUris: 'https://a.example.com/' },
      'app shop: redirectUris must be a list of at most 20 addresses',
    ],
    [
      '21 addresses',
      { logoutUris: Array.from({ length: 21 }, (_, index) => `https://a.example.com/${index}`) },
      'app shop: logoutUris must be a list of at most 20 addresses',
    ],
    [
      'a number as an address',
      { logoutUris: [5] },
      'app shop: logoutUris must contain addresses as text, and nothing else',
    ],
    [
      'an address twice',
      { redirectUris: ['https://a.example.com/', 'https://a.example.com/'] },
      'app shop: redirectUris must not list an address twice',
    ],
    [
      'an address that is not fit',
      { redirectUris: ['http://a.example.com/\u0007'] },
      'app shop: redirectUris “http://a.example.com/\\u0007” must begin with https: http is only for 127.0.0.1, [::1] and localhost',
    ],
    [
      'an unknown scope',
      { scopes: ['openid', 'profile'] },
      'app shop: scopes must contain only openid, phone, email, offline_access, files',
    ],
    ['scopes without openid', { scopes: ['phone'] }, 'app shop: scopes must be a list that contains openid'],
    ['scopes as one text', { scopes: 'openid' }, 'app shop: scopes must be a list that contains openid'],
    ['a field of another service', { client_id: 'x' }, 'app shop: “client_id” is not a known field: did you mean id?'],
    [
      'a field in another spelling',
      { redirect_uris: [] },
      'app shop: “redirect_uris” is not a known field: did you mean redirectUris?',
    ],
    [
      'one field too few letters',
      { logoutUri: '' },
      'app shop: “logoutUri” is not a known field: did you mean logoutUris?',
    ],
    [
      'a logo on another server',
      { logo: 'https://a.example.com/logo.png' },
      'app shop: logo must be the path of a PNG, JPEG, WebP or SVG file, or such a picture as data:image/…;base64,…',
    ],
  ] as const) {
    it(`${name} is refused`, () => {
      assert.deepEqual(one(entry), [problem]);
    });
  }

  it('a secret that was written down instead of its hash is refused, and never shown', () => {
    for (const entry of [{ secretHash: 'tops3cret' }, { secret: 'tops3cret' }, { client_secret: 'tops3cret' }]) {
      const [problem = '', ...others] = one(entry);
      assert.match(problem, /^app shop: .*(only the hash|SHA-256 of the secret).*gatehouse apps secret/);
      assert.doesNotMatch(problem, /tops3cret/);
      assert.deepEqual(others, []);
    }
  });

  it('a scheme of its own is for apps without a secret', () => {
    const entry = { redirectUris: ['com.example.shop:/callback'] };
    assert.deepEqual(one(entry), []);
    assert.equal(one({ ...entry, secretHash: hash }).length, 1);
  });

  it('a logo is read from its file', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"></svg>';
    const result = parseApps(JSON.stringify([{ ...shop, logo: 'logos/shop.svg' }]), (path) => {
      assert.equal(path, 'logos/shop.svg');
      return Buffer.from(svg);
    });
    assert.ok('apps' in result);
    assert.equal(result.apps[0]?.logo, `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`);
  });
});
