// Whether a request only looks at a link before somebody opens it: a messenger that makes a preview, a robot, a browser that prefetches.

export type Header = (name: string) => string | undefined;

/** It must not use up a link. A click in a browser comes from a person, whatever the browser calls itself. */
export function looksAhead(header: Header): boolean {
  if (isPrefetch(header)) return true;
  const agent = header('user-agent') ?? '';
  const isRobot = isPreviewer(agent) || (address.test(agent) && !programs.test(agent));
  return isRobot && header('sec-fetch-user') !== '?1';
}

/** The headers that decide, for `Vary`. */
export const lookAheadVary = 'User-Agent, Sec-Purpose, Purpose, X-Purpose, X-Moz, Sec-Fetch-User';

function isPrefetch(header: Header): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|prerender|preview/i.test(header(name) ?? ''),
  );
}

/** It says what it does, or it is known. */
export function isPreviewer(agent: string): boolean {
  return words.test(agent) || names.test(agent) || messengers.test(agent);
}

/** Most robots name an address where one can read about them. Some programs that people use do too. */
const address = /https?:\/\/|\+mailto:|\bwww\.|[\w.-]@[\w-]+\.\w/i;
/** Libraries of programs that also name an address. */
const programs = /^(?:node-fetch\/[\d.]+ |got(?:\/[\d.]+)? )\(\+?https:\/\/github\.com\/[\w./-]+\)$/;
/** Cubot makes phones. */
const words =
  /(?<!cu)bot(?![a-z])|robot|crawl|spider|slurp|scrap|preview|embed|unfurl|onebox|snippet|open-?graph|\bogp|meta-?(?:data|tag)|externalhit|fetcher|validator|scanner|inspect|(?:img|image)-?proxy|(?:link|url)s?[ _-]?(?:check|expand|scan|resolv|fetch)/i;
/** Their own agents begin with the name. A browser in them begins with Mozilla, and a person may be in front of it. */
const messengers =
  /^(?:bluesky|discord|element|kakaotalk|line|messenger|skype|slack|snap(?:chat)?|teams|telegram|threema|wechat|wire|zoom)(?:[/ ;]|$)/i;
/** Those that do not say it. */
const names =
  /whatsapp\/|viber|line-poker|synapse|dendrite|condu(?:it|wuit)|summaly|mattermost|rocket\.?chat|zulip|mastodon|pleroma|misskey|lemmy|cardyb|vkshare|iframely|tumblr\/|flipboard|facebookcatalog|signal-(?:android|ios|desktop)|\bgoogle-|-google\b|googleother|ms-?office|microsoft office/i;
