// The client of a rotation: which clients may repeat it, within the grace period and later, and how it is written.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type ClientMarks,
  mayRepeat,
  type RecordedClient,
  readRotatedBy,
  writeRotatedBy,
} from '../../../src/auth/sessions/rotation-client.ts';
import { markClient } from '../../../src/auth/tokens/refresh-token.ts';

const seed = Buffer.alloc(16, 7);
const marked = (userAgent: string | undefined, ip: string, device?: string) =>
  markClient(seed, { userAgent, ip, device });

const firefox = 'Firefox/140 Android';
const phone = marked(firefox, '192.0.2.7', 'a phone');
const plain = marked(firefox, '192.0.2.7');
const ofOldVersion = { ...plain, device: undefined };
const unlocated = marked(firefox, 'unknown');
const curlElsewhere = marked('curl/8', '198.51.100.1');

type May = 'at any time' | 'within the grace period' | 'never';

const cases: [client: string, given: ClientMarks | undefined, known: RecordedClient | undefined, May][] = [
  ['the same client', phone, phone, 'at any time'],
  ['the same client at another address of its network', marked(firefox, '192.0.2.99'), phone, 'at any time'],
  ['the same device in another network', marked(firefox, '203.0.113.9', 'a phone'), phone, 'at any time'],
  ['the same device, in another network and updated', marked('F/141', '203.0.113.9', 'a phone'), phone, 'at any time'],
  ['the same device at an unknown address', marked('F/141', 'unknown', 'a phone'), phone, 'at any time'],
  ['the same program in the same network, without its device token', plain, phone, 'at any time'],
  ['the same program in the same network, without any device token', plain, plain, 'at any time'],
  ['the same program, both addresses unknown', unlocated, unlocated, 'at any time'],
  ['the same program in another network', marked(firefox, '198.51.100.1'), phone, 'within the grace period'],
  ['the same program, now by IPv6', marked(firefox, '2001:db8:1:2::/64'), phone, 'within the grace period'],
  ['another device with the same program', marked(firefox, '198.51.100.1', 'x'), phone, 'within the grace period'],
  ['two clients without device tokens in two networks', marked(firefox, '::1'), plain, 'within the grace period'],
  ['two clients that name no program', marked('', '198.51.100.1'), marked('', '::1'), 'within the grace period'],
  ['another program in the same network', marked('curl/8', '192.0.2.7'), phone, 'within the grace period'],
  ['another program at an unknown address', marked('curl/8', 'unknown'), phone, 'within the grace period'],
  ['the same program at an unknown address', unlocated, phone, 'within the grace period'],
  ['an unknown client', undefined, phone, 'within the grace period'],
  ['an unknown client after an unknown one', undefined, undefined, 'within the grace period'],
  ['another program in another network', curlElsewhere, phone, 'never'],
  ['another program in another IPv6 network', marked('curl/8', '2001:db8:1:2::/64'), phone, 'never'],
  ['no program named, in another network', marked(undefined, '198.51.100.1'), phone, 'never'],
  ['another device in another network', marked('curl/8', '198.51.100.1', 'x'), phone, 'never'],
  ['the owner after a thief', phone, curlElsewhere, 'never'],
  ['the owner, after a version that knew no devices', phone, ofOldVersion, 'at any time'],
  ['the owner elsewhere, after such a version', marked(firefox, '203.0.113.9', 'a phone'), ofOldVersion, 'at any time'],
  ['a thief after such a version', curlElsewhere, ofOldVersion, 'never'],
  ['any client after a version that recorded none', curlElsewhere, undefined, 'within the grace period'],
];

describe('the client that repeats a refresh token', () => {
  for (const [who, given, known, may] of cases) {
    it(`a refresh token may be repeated by ${who}: ${may}`, () => {
      assert.equal(mayRepeat(given, known, { isLate: false }), may !== 'never');
      assert.equal(mayRepeat(given, known, { isLate: true }), may === 'at any time');
    });
  }
});

describe('the client of a rotation', () => {
  const texts: [text: string | null, counter: number, expected: ReturnType<typeof readRotatedBy>][] = [
    [null, 5, undefined],
    ['', 5, undefined],
    ['5 agent network device', 5, { agent: 'agent', network: 'network', device: 'device' }],
    ['5 agent network device', 6, undefined],
    ['5 agent network ', 5, { agent: 'agent', network: 'network', device: '' }],
    ['5 agent  device', 5, { agent: 'agent', network: undefined, device: 'device' }],
    ['5 agent network', 5, { agent: 'agent', network: 'network', device: undefined }],
    ['5 agent ', 5, { agent: 'agent', network: undefined, device: undefined }],
    ['5', 5, { agent: '', network: undefined, device: undefined }],
  ];
  for (const [text, counter, expected] of texts) {
    it(`the client of rotation ${counter} in the text ${JSON.stringify(text)} is ${JSON.stringify(expected)}`, () => {
      assert.deepEqual(readRotatedBy(text, counter), expected);
    });
  }

  it('the client of a rotation is written with its counter, and is nothing where it is unknown', () => {
    const client = { agent: 'agent', network: 'network', device: 'device' };
    assert.equal(writeRotatedBy(5, client), '5 agent network device');
    assert.equal(writeRotatedBy(5, { ...client, network: undefined, device: '' }), '5 agent  ');
    assert.equal(writeRotatedBy(5, undefined), null);
    assert.deepEqual(readRotatedBy(writeRotatedBy(5, phone), 5), phone);
    assert.equal(readRotatedBy(writeRotatedBy(5, phone), 6), undefined, 'recorded for an earlier rotation');
  });
});
