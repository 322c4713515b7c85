// Who gets the page of a shared file, who gets its bytes, and who may use up a link, by the agents that programs send.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { wantsPage } from '../../../../src/http/routes/files/wants-page.ts';

type Query = { download?: string; variant?: string };

const asks = (headers: Readonly<Record<string, string>>, query: Query = {}, isCounted = false) =>
  wantsPage({ header: (name) => headers[name], query }, isCounted);

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

  it('the download and the preview of the page are bytes for everybody, if the link opens the file any number of times', () => {
    for (const query of [{ download: '1' }, { variant: 'preview' }])
      for (const headers of [{ 'sec-fetch-dest': 'document' }, { accept: html }, { 'user-agent': 'WhatsApp/2' }])
        assert.equal(asks(headers, query), false);
  });
});

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';

const previewers = [
  'Mattermost-Bot/1.1',
  'mattermost-9.5.1',
  'facebookexternalhit/1.1; kakaotalk-scrap/1.0; +https://devtalk.kakao.com/t/scrap/33984',
  'facebookexternalhit/1.1;line-poker/1.0',
  'Line/1.0',
  'Line',
  'Snap',
  'Bluesky/1.2',
  'Threema',
  'Element/1.11',
  'Zoom',
  'Synapse (bot; +https://github.com/matrix-org/synapse)',
  'Synapse/1.98.0',
  'RocketChat/6.5',
  'Mozilla/5.0 (compatible; ZulipURLPreview/8.0; +chat.example.org)',
  'Mozilla/5.0 (compatible; redditbot/1.0; +http://www.reddit.com/feedback)',
  'Mozilla/5.0 (compatible; Bluesky Cardyb/1.1; +mailto:support@bsky.app)',
  'Snap URL Preview Service; bot; snapchat; https://developers.snap.com/robots',
  'Mozilla/5.0 (compatible; zoombot/1.0; +https://zoom.us)',
  'Mozilla/5.0 (compatible; vkShare; +http://vk.com/dev/Share)',
  'Mozilla/5.0 (compatible; Embedly/0.2; +http://support.embed.ly/)',
  'Iframely/1.3.1 (+https://iframely.com/docs/about) Atlassian',
  'Mozilla/5.0 (compatible; Pinterestbot/1.0; +http://www.pinterest.com/bot.html)',
  'WhatsApp/2.23.20.0 A',
  'WhatsApp/2',
  'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
  'facebookcatalog/1.0',
  'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
  'TelegramBot (like TwitterBot)',
  'Twitterbot/1.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Slack-ImgProxy (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)',
  'LinkedInBot/1.0 (compatible; Mozilla/5.0; Apache-HttpClient +http://www.linkedin.com)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
  'Mozilla/5.0 (compatible; MicrosoftPreview/2.0; +https://aka.ms/MicrosoftPreview)',
  'Mozilla/4.0 (compatible; ms-office; MSOffice 16)',
  'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.5110; Pro)',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_11_1) AppleWebKit/601.2.4 (KHTML, like Gecko) Version/9.0.1 Safari/601.2.4 facebookexternalhit/1.1 Facebot Twitterbot/1.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/13.1.1 Safari/605.1.15 (Applebot/0.1; +http://www.apple.com/go/applebot)',
  'Signal-Android/7.1.3 Android/34',
  'Viber/13.3.0.1',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Google-PageRenderer Google (+https://developers.google.com/+/web/snippet/)',
  'Mozilla/5.0 (X11; Linux x86_64; Storebot-Google/1.0) AppleWebKit/537.36',
  'Google-Safety',
  'GoogleOther',
  'APIs-Google (+https://developers.google.com/webmasters/APIs-Google.html)',
  'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'Mozilla/5.0 (Windows NT 6.1; WOW64) AppleWebKit/534+ (KHTML, like Gecko) BingPreview/1.0b',
  'Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)',
  'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
  'DuckDuckBot/1.1; (+http://duckduckgo.com/duckduckbot.html)',
  'Mozilla/5.0 (compatible; Baiduspider/2.0; +http://www.baidu.com/search/spider.html)',
  'http.rb/5.1.1 (Mastodon/4.2.1; +https://mastodon.social/)',
  'Pleroma 2.6.0; https://pleroma.example <admin@pleroma.example>',
  'Misskey/2024.2.0 (https://misskey.example) SummalyBot/5.0',
  'summaly/5.1.0',
  'OpenGraphReader/0.7.2 (ruby)',
  'open-graph/1.0',
  'ogp-parser 0.8.1',
  'LinkMetadata/1.0',
  'Metatag fetch 2.1',
  'Dendrite/0.13',
  'conduwuit/0.4.6',
  'Lemmy/0.19.3; +https://lemmy.world',
  'Discourse Forum Onebox v3.2.0',
  'Nextcloud Server Crawler',
  'NotionEmbedder',
  'Mozilla/5.0 (compatible; FlipboardProxy/1.2; +http://flipboard.com/browserproxy)',
  'Tumblr/14.0.835.186',
  'Mozilla/5.0 (compatible; Quora Link Preview/1.0; +http://www.quora.com)',
  'W3C_Validator/1.3',
  'Mozilla/5.0 (compatible; archive.org_bot +http://archive.org/details/archive.org_bot)',
  'Mozilla/5.0 (compatible; CensysInspect/1.1; +https://about.censys.io/)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
];

const programs = [
  'curl/8.5.0',
  'Wget/1.21.3',
  'Wget2/2.1.0',
  'aria2/1.37.0',
  'python-requests/2.31.0',
  'Python-urllib/3.12',
  'python-httpx/0.27.0',
  'Python/3.12 aiohttp/3.9.3',
  'Go-http-client/1.1',
  'Go-http-client/2.0',
  'Java/17.0.2',
  'Java-http-client/21.0.1',
  'Apache-HttpClient/4.5.14 (Java/17.0.2)',
  'okhttp/4.12.0',
  'Dart/3.3 (dart:io)',
  'MyApp/1.0 CFNetwork/1490.0.4 Darwin/23.2.0',
  'AppleCoreMedia/1.0.0.21C62 (iPhone; U; CPU OS 17_2 like Mac OS X; en_us)',
  'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UD1A)',
  'node',
  'undici',
  'axios/1.6.7',
  'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)',
  'got (https://github.com/sindresorhus/got)',
  'GuzzleHttp/7',
  'Ruby',
  'Faraday v2.9.0',
  'libwww-perl/6.76',
  'HTTPie/3.2.2',
  'PostmanRuntime/7.36.3',
  'rclone/v1.65.2',
  'Deno/1.41.0',
  'Bun/1.0.30',
  'VLC/3.0.20 LibVLC/3.0.20',
  'Microsoft BITS/7.8',
  'oggdec/1.2 libogg/1.3.5',
  'Metalink-Downloader/2.0',
  'Snapcast/0.27',
  'linear-sync/1.0',
  'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.19041.1',
];

describe('who may use up a link', () => {
  for (const agent of previewers) {
    it(`gets the page, also for the address of the download: ${agent}`, () => {
      for (const accept of ['*/*', 'image/*,*/*;q=0.8'])
        for (const query of [{}, { download: '1' }, { variant: 'preview' }])
          assert.equal(asks({ accept, 'user-agent': agent }, query, true), true);
      assert.equal(
        asks({ accept: '*/*', 'user-agent': agent }),
        true,
        'also if the link opens the file any number of times',
      );
    });
  }

  for (const agent of programs) {
    it(`gets the bytes: ${agent}`, () => {
      for (const isCounted of [true, false]) {
        for (const headers of [{ accept: '*/*' }, {}])
          assert.equal(asks({ ...headers, 'user-agent': agent }, {}, isCounted), false);
        assert.equal(asks({ 'user-agent': agent }, { download: '1' }, isCounted), false);
      }
    });
  }

  it('a person who clicks on the download gets it, whatever the phone is called and without TLS too', () => {
    for (const agent of [
      chrome,
      'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari Line/14.1.0',
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/120.0 Mobile Safari/537.36;KAKAOTALK 2410410',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 [Pinterest/iOS]',
    ]) {
      const clicks = { 'sec-fetch-dest': 'document', 'sec-fetch-user': '?1', accept: html, 'user-agent': agent };
      const opens = { accept: html, 'user-agent': agent };
      for (const headers of [clicks, opens]) {
        assert.equal(asks(headers, { download: '1' }, true), false, agent);
        assert.equal(asks(headers, {}, true), true, agent);
      }
    }
    const strange = { 'sec-fetch-user': '?1', 'user-agent': 'Mozilla/5.0 PreviewPhone/1.0' };
    assert.equal(asks(strange, { download: '1' }, true), false);
  });

  it('a program that names an address gets the bytes, unless that would use the link up', () => {
    const agent = 'Overcast/3.0 (+http://overcast.fm/; iOS podcast app)';
    assert.equal(asks({ accept: '*/*', 'user-agent': agent }), false);
    assert.equal(asks({ accept: '*/*', 'user-agent': agent }, {}, true), true);
  });

  it('a browser that fetches ahead of a click uses nothing up', () => {
    for (const header of [
      { 'sec-purpose': 'prefetch' },
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-purpose': 'preview' },
      { 'x-moz': 'prefetch' },
    ])
      for (const query of [{}, { download: '1' }])
        assert.equal(asks({ ...header, 'sec-fetch-dest': 'empty', 'user-agent': chrome }, query, true), true);
  });

  it('a client that only calls itself a browser gets the page; what a page embeds or fetches gets the bytes', () => {
    const robot = { accept: '*/*', 'user-agent': chrome };
    assert.equal(asks(robot, {}, true), true);
    assert.equal(asks({ ...robot, range: 'bytes=0-32768' }, {}, true), true);
    assert.equal(asks(robot, { download: '1' }, true), false);
    for (const target of ['image', 'video', 'empty'])
      assert.equal(asks({ ...robot, 'sec-fetch-dest': target }, {}, true), false, target);
    assert.equal(asks({ ...robot, accept: 'image/webp,*/*;q=0.8' }, {}, true), false);
    assert.equal(asks(robot), false, 'a link for any number of times loses nothing');
  });
});
