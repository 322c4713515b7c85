// The browser that tests drive, and the monitor on its pages: it must see every problem that the tests rely on.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { waitUntil } from '../wait-until.ts';
import { openBrowser, watch } from './browser.ts';

const browser = await openBrowser();

describe('the monitor on a page', { skip: browser === undefined }, () => {
  const server = createServer((request, response) => {
    const policy = "default-src 'none'; script-src 'unsafe-inline'; img-src * data:; connect-src *";
    response.setHeader('content-type', 'text/html').setHeader('content-security-policy', policy);
    response.end(`<!doctype html><link rel="icon" href="data:,">${decodeURIComponent((request.url ?? '').slice(1))}`);
  });
  let origin: string;
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(async () => {
    await browser?.close();
    server.close();
  });

  for (const [name, html, expected] of [
    ['the page monitor reports nothing on a page without problems', '<p>hello', undefined],
    ['the page monitor reports an error on the console', '<script>console.error("oh")</script>', /^console: oh /],
    [
      'the page monitor reports an uncaught error',
      '<script>setTimeout(() => { throw new Error("oh") })</script>',
      /^page: oh$/,
    ],
    [
      'the page monitor reports an unhandled promise rejection',
      '<script>Promise.reject(new Error("oh"))</script>',
      /^page: oh$/,
    ],
    [
      'the page monitor reports an inline style that the policy blocks',
      '<p style="color: red">hello',
      /^console: .*style-src/,
    ],
    [
      'the page monitor reports a script that the policy blocks',
      '<script src="/x.js"></script>',
      /^console: .*script-src/,
    ],
    [
      'the page monitor reports a request to another host',
      '<img src="http://localhost:9/x.png">',
      /^request: http:\/\/localhost:9\//,
    ],
    [
      'the page monitor reports a socket to another host',
      '<script>new WebSocket("ws://localhost:9")</script>',
      /^request: ws:\/\/localhost:9/,
    ],
    [
      'the page monitor reports an external host name, which does not resolve here',
      '<img src="https://example.com/x.png">',
      /ERR_NAME_NOT_RESOLVED/,
    ],
  ] as const) {
    it(name, async () => {
      const page = (await browser?.newPage()) ?? assert.fail();
      const { problems } = watch(page, origin);
      await page.goto(`${origin}/${encodeURIComponent(html)}`);
      if (expected === undefined) assert.deepEqual(problems, []);
      else await waitUntil(`a problem like ${expected}`, () => problems.some((one) => expected.test(one)));
      await page.close();
    });
  }
});
