// GET /docs/api and its areas: what all calls have in common, and one section per endpoint.

import { failureReplies } from '../../../src/http/interface/failure-replies.ts';
import { failureExample } from '../../../src/http/interface/openapi-answers.ts';
import { paths } from '../../../src/http/interface/paths.ts';
import { html, type Markup } from '../../../src/kernel/text/html.ts';
import { brandName, breakable, methodBadge, sample } from '../page/page.ts';
import { areaNames, areaUrl, type NavLink } from '../page/site-nav.ts';
import { endpointSection } from './endpoint-section.ts';
import type { Endpoint, Interface } from './endpoints.ts';

type Tag = Interface['tags'][number];

export function areaMain({ name, description }: Tag, endpoints: readonly Endpoint[]): Markup {
  return html`<section class="introduction" aria-labelledby="title">
<h1 id="title">${areaNames[name]}</h1>
<p class="lead">${description}.</p>
</section>
${endpoints.filter(({ tag }) => tag === name).map(endpointSection)}`;
}

/** The endpoints of an area, below its name in the list of pages. */
export function endpointLinks(endpoints: readonly Endpoint[], tag: string): NavLink[] {
  return endpoints
    .filter((endpoint) => endpoint.tag === tag)
    .map(({ id, method, summary }) => ({
      href: `#${id}`,
      label: html`${methodBadge(method)} <span>${summary}</span>`,
    }));
}

export function overviewMain({ version, tags, endpoints }: Interface, hasInbox: boolean): Markup {
  return html`${introduction(version, hasInbox)}
${tags.map((tag) => areaList(tag, endpoints))}`;
}

function areaList({ name, description }: Tag, endpoints: readonly Endpoint[]): Markup {
  const rows = endpoints
    .filter(({ tag }) => tag === name)
    .map(
      ({ id, method, path, summary }) =>
        html`<li><a href="${areaUrl(name)}#${id}">${methodBadge(method)} <code>${breakable(path)}</code> <span>${summary}</span></a></li>`,
    );
  return html`<section aria-labelledby="area-${name}">
<h2 id="area-${name}"><a class="anchor" href="${areaUrl(name)}">${areaNames[name]}</a></h2>
<p class="hint">${description}.</p>
<ul class="endpoint-list">${rows}</ul>
</section>`;
}

function introduction(version: string, hasInbox: boolean): Markup {
  const inboxCode = html`<code>GET ${paths.inbox}</code>`;
  return html`<section class="introduction" aria-labelledby="title">
<h1 id="title">${brandName} API reference</h1>
<p class="lead">Version ${version}. The same interface as an OpenAPI document, for generators of clients: <a href="/openapi.json">openapi.json</a>. All error codes: <a href="/docs/errors">error catalogue</a>.</p>
<div class="panels prose">
<section>
<h2>One envelope</h2>
<p>Every JSON response has the same four fields. <code>message</code> can be shown to the user and follows <code>Accept-Language</code>. <code>codeError</code> is for programs, and its meaning never changes.</p>
${sample('A failure', JSON.stringify(failureExample('OTP_INVALID'), null, 2), 'json')}
</section>
<section>
<h2>Two ways to send tokens</h2>
<p>A sign-in returns <code>JWT</code> (access token) and <code>RT</code> (refresh token), in <code>data</code> and as cookies.</p>
<ul>
<li><b>Headers</b>, for apps: <code>Authorization: Bearer …</code>, and <code>RT: …</code> to renew the tokens.</li>
<li><b>Cookies</b>, for web pages: the browser sends them automatically. Calls from other origins are refused.</li>
</ul>
</section>
<section>
<h2>Captcha</h2>
<p>Every endpoint that sends a message needs the header <code>captcha-token</code> with the solution of a captcha. ${failureReplies.CAPTCHA_REQUIRED.cure} A solution works once.</p>
</section>
<section>
<h2>Try the API</h2>
<p>In local mode any <code>captcha-token</code> is accepted, and you can read codes and links at ${hasInbox ? html`<a href="${paths.inbox}">${inboxCode}</a>` : inboxCode}. The examples use variables for your values, such as <code>$JWT</code> and <code>$RT</code>. <code>$BASE</code> is the URL of this service.</p>
</section>
</div>
</section>`;
}
