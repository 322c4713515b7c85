// The name of a device in messages: as the pages name it, and never a text that a mail program would turn into a link.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nameDevice } from '../../../src/kernel/text/name-device.ts';
import { nameDevice as nameOnPage } from '../../../web/parts/name-device.ts';

describe('the name of a device', () => {
  const agents: [userAgent: string, expected: string][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Linux'],
    ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge · Windows'],
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1', 'Safari · iPhone'],
    ['Mozilla/5.0 (Linux; Android 16) Chrome/140.0 Mobile Safari/537.36', 'Chrome · Android'],
    ['curl/8.9.1', 'curl'],
    ['MyApp/1.2', 'MyApp'],
  ];
  for (const [userAgent, expected] of agents) {
    it(`the device ${expected} has the same name in messages and on the pages`, () => {
      assert.equal(nameDevice(userAgent), expected);
      assert.equal(nameOnPage(userAgent), expected);
    });
  }

  it('the page calls a back end a program, and an app by its name', () => {
    for (const tool of ['node', 'undici', 'curl/8.9.1', 'python-requests/2.32', 'Go-http-client/2.0', 'axios/1.7'])
      assert.equal(nameOnPage(tool, 'App or server'), 'App or server');
    for (const app of ['MyApp/1.2', 'Nodes/2', 'gotham'])
      assert.equal(nameOnPage(app, 'App or server'), app.split('/')[0]);
  });

  it('a device without a plain name has none', () => {
    const texts = [undefined, '', ' ', 'evil.example/1', 'https://evil.example', '<b>', 'a@b.c', `${'x'.repeat(40)}/1`];
    for (const text of texts) assert.equal(nameDevice(text), undefined, String(text));
  });
});
