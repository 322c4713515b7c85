// Proves that signing in leads to no other host, however the URL of the next page is written.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextPage } from '../../web/sign-in/next-page.ts';

const origin = 'https://id.example.com';
const lead = (next: string) => nextPage(`?next=${encodeURIComponent(next)}`, origin);

describe('the page after signing in', () => {
  it('the page after signing in is the requested page of this host', () => {
    assert.equal(lead('/docs'), `${origin}/docs`);
    assert.equal(lead('/docs/../account?a=//b#//c'), `${origin}/account?a=//b#//c`);
    assert.equal(nextPage('', origin), '/account');
  });

  it('the page after signing in is never a page of another host or a script', () => {
    const hostile = [
      '//evil.example',
      '/\\evil.example',
      '\\\\evil.example',
      'https://evil.example',
      'https:evil.example',
      'javascript:alert(1)',
      ' //evil.example',
      '/.//evil.example',
      '/..//evil.example',
      '/x/../..//evil.example',
      '/%2e//evil.example',
      '/.\\\\evil.example',
      '/\t/evil.example',
      '/\n\\evil.example',
      '/\t/path//evil.example',
      '/\t/hostjavascript:81/%0aalert(1)',
      '/\r//[',
      `/\t/${'id.example.com'}@evil.example`,
    ];
    for (const next of hostile) assert.equal(lead(next), '/account', JSON.stringify(next));
  });
});
