// Who gets the page of a shared file, and who gets its bytes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wantsPage } from '../../../../src/http/routes/files/wants-page.ts';

const asks = (headers: Record<string, string>, query: { download?: string; variant?: string } = {}) =>
  wantsPage({ header: (name) => headers[name], query });

const html = 'text/html,application/xhtml+xml,*/*;q=0.8';

describe('who gets the page of a shared file', () => {
  it('a browser that navigates gets the page, also an old one; whatever embeds the file and every program get the bytes', () => {
    assert.equal(asks({ 'sec-fetch-dest': 'document', accept: html }), true);
    assert.equal(asks({ accept: html, 'user-agent': 'Mozilla/5.0 (iPhone) Version/15.6 Safari/604.1' }), true);
    for (const target of ['image', 'video', 'empty', 'iframe'])
      assert.equal(asks({ 'sec-fetch-dest': target, accept: html }), false, target);
    assert.equal(asks({ accept: '*/*', 'user-agent': 'curl/8.5.0' }), false);
    assert.equal(asks({ accept: 'image/avif,image/webp,*/*;q=0.8' }), false);
    assert.equal(asks({}), false);
  });

  it('a messenger that makes a preview gets the page, so that it does not use up the link', () => {
    for (const agent of [
      'WhatsApp/2.23.20.0 A',
      'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
      'TelegramBot (like TwitterBot)',
      'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
      'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
    ])
      assert.equal(asks({ accept: '*/*', 'user-agent': agent }), true, agent);
  });

  it('the download and the preview of the page are bytes for everybody', () => {
    for (const query of [{ download: '1' }, { variant: 'preview' }])
      for (const headers of [{ 'sec-fetch-dest': 'document' }, { accept: html }, { 'user-agent': 'WhatsApp/2' }])
        assert.equal(asks(headers, query), false);
  });
});
