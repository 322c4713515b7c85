// Whether a link is answered with the page for people or with the bytes: by what the headers say about who asks.

type Asked = {
  readonly header: (name: string) => string | undefined;
  readonly query: { readonly download?: string; readonly variant?: string };
};

/** A person opened the link, or an app looks at it for its preview. The page itself asks for a preview and for the download in other ways. */
export function wantsPage({ header, query }: Asked): boolean {
  if (query.download === '1' || query.variant !== undefined) return false;
  const target = header('sec-fetch-dest');
  if (target !== undefined) return target === 'document';
  // Older browsers and many scanners. No program asks for HTML by itself.
  if (header('accept')?.includes('text/html')) return true;
  return isPreviewer(header('user-agent') ?? '');
}

/** The headers that decide, for `Vary`. */
export const pageVary = 'Sec-Fetch-Dest, Accept, User-Agent';

/**
 * Messengers open a link before its reader does. They ask like a program, but they want to show what the link is: with the bytes, they
 * would use up a link that works once.
 */
const previewers = [
  'whatsapp',
  'facebookexternalhit',
  'facebot',
  'telegrambot',
  'twitterbot',
  'slackbot',
  'slack-imgproxy',
  'viber',
  'discordbot',
  'linkedinbot',
  'skypeuripreview',
  'microsoftpreview',
  'googlebot',
  'google-pagerenderer',
  'bingbot',
  'applebot',
  'mastodon',
];

function isPreviewer(agent: string): boolean {
  const name = agent.toLowerCase();
  return previewers.some((each) => name.includes(each));
}
