// GET /docs: the API reference, one section per endpoint, grouped by tag.

import { html, type Markup } from '../../kernel/html.ts';
import { failureReplies } from '../interface/failure-replies.ts';
import { failureExample } from '../interface/openapi-answers.ts';
import { paths } from '../interface/paths.ts';
import type { RouteLine } from '../interface/route-line.ts';
import type { BrandHead } from '../pages/page-shell.ts';
import { endpointSection } from './endpoint-section.ts';
import { type Endpoint, type Interface, readInterface } from './endpoints.ts';
import { methodBadge, renderPage } from './page.ts';

export function renderReferencePage(table: readonly RouteLine[], brand: BrandHead): string {
  const reference = readInterface(table);
  const groups = groupByTag(reference);
  const hasInbox = table.some(({ path }) => path === paths.inbox);
  return renderPage({
    title: 'API reference',
    brand,
    current: '/docs',
    contentsTitle: 'Endpoints',
    contents: groups.map(({ name, title, endpoints }) => ({
      id: `contents-${name}`,
      title,
      links: endpoints.map(contentsLink),
    })),
    main: html`${introduction(brand.name, reference.version, hasInbox)}
${groups.map(groupSection)}`,
  });
}

type Group = { readonly name: string; readonly title: string; readonly endpoints: readonly Endpoint[] };

function groupByTag({ tags, endpoints }: Interface): Group[] {
  return tags
    .map(({ name, description }) => ({
      name,
      title: description,
      endpoints: endpoints.filter(({ tag }) => tag === name),
    }))
    .filter((group) => group.endpoints.length > 0);
}

function contentsLink({ id, method, summary }: Endpoint) {
  return { href: `#${id}`, label: html`${methodBadge(method)} <span>${summary}</span>` };
}

function groupSection({ name, title, endpoints }: Group): Markup {
  return html`<section aria-labelledby="tag-${name}">
<h2 id="tag-${name}">${title}</h2>
${endpoints.map(endpointSection)}
</section>`;
}

function introduction(brandName: string, version: string, hasInbox: boolean): Markup {
  const inboxCode = html`<code>GET ${paths.inbox}</code>`;
  return html`<section class="introduction" aria-labelledby="title">
<h1 id="title">${brandName} API reference</h1>
<p class="lead">Version ${version}. The same interface as an OpenAPI document: <a href="/openapi.json">openapi.json</a>. All error codes: <a href="/docs/errors">error catalogue</a>.</p>
<div class="cards prose">
<section>
<h2>One envelope</h2>
<p>Every JSON response has the same four fields. <code>message</code> can be shown to the user and follows <code>Accept-Language</code>. <code>codeError</code> is for programs, and its meaning never changes.</p>
<pre><code>${JSON.stringify(failureExample('OTP_INVALID'), null, 2)}</code></pre>
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
<p>In local mode any <code>captcha-token</code> is accepted, and you can read codes and links at ${hasInbox ? html`<a href="${paths.inbox}">${inboxCode}</a>` : inboxCode}. The curl examples use shell variables for your values, such as <code>$JWT</code> and <code>$RT</code>. <code>$BASE</code> is the URL of this service.</p>
</section>
</div>
</section>`;
}
