// GET /docs/errors: every failure code with its cause and cure. The anchor of a code is its name.
import { STATUS_CODES } from 'node:http';
import { failureReplies } from '../../../src/http/interface/failure-replies.ts';
import { failureExample } from '../../../src/http/interface/openapi-answers.ts';
import type { FailureCode } from '../../../src/kernel/failure.ts';
import { html, type Markup, type Value } from '../../../src/kernel/text/html.ts';
import { breakable, methodBadge, sample } from '../page/page.ts';
import { areaUrl } from '../page/site-nav.ts';
import type { Endpoint } from './endpoints.ts';

export function errorsMain(codes: readonly FailureCode[], endpoints: readonly Endpoint[]): Markup {
  const groups = groupByStatus(codes);
  return html`<section class="introduction" aria-labelledby="title">
<h1 id="title">Error catalogue</h1>
<p class="lead">A failed call returns its status and one of these codes in <code>codeError</code>. The header <code>Link</code> of each failure points to this page. Responses with status 429 and 503 have <code>Retry-After</code> in seconds.</p>
<ul class="jumps" aria-label="Statuses">${groups.map(({ status, title }) => html`<li><a href="#status-${status}">${title}</a></li>`)}</ul>
</section>
${groups.map((group) => groupSection(group, endpoints))}`;
}

type Group = { readonly status: number; readonly title: string; readonly codes: readonly FailureCode[] };

function groupByStatus(shown: readonly FailureCode[]): Group[] {
  const byStatus = Map.groupBy(shown, (code) => failureReplies[code].status);
  return [...byStatus]
    .map(([status, codes]) => ({ status, title: `${status} ${STATUS_CODES[status] ?? ''}`.trim(), codes }))
    .sort((one, other) => one.status - other.status);
}

function groupSection({ status, title, codes }: Group, endpoints: readonly Endpoint[]): Markup {
  return html`<section aria-labelledby="status-${status}">
<h2 id="status-${status}">${title}</h2>
${codes.map((code) => codeBlock(code, endpoints))}
</section>`;
}

function codeBlock(code: FailureCode, endpoints: readonly Endpoint[]): Markup {
  const { status, when, cure } = failureReplies[code];
  const example = failureExample(code);
  return html`<article class="failure" id="${code}" aria-labelledby="${code}-title">
<div>
<h3 id="${code}-title"><a class="anchor" href="#${code}"><code>${code}</code></a> <span class="status">${status}</span></h3>
<p class="message">“${String(example.message)}”</p>
<dl>
<div><dt>When</dt><dd>${when}</dd></div>
<div><dt>What to do</dt><dd>${cure}</dd></div>
<div><dt>Returned by</dt><dd>${returnedBy(code, endpoints)}</dd></div>
</dl>
</div>
${sample('Sample response', JSON.stringify(example, null, 2), 'json')}
</article>`;
}

function returnedBy(code: FailureCode, endpoints: readonly Endpoint[]): Value {
  const returning = endpoints.filter(({ failures }) => failures.includes(code));
  if (returning.length === 0) return 'Not tied to an endpoint.';
  if (returning.length === endpoints.filter(({ failures }) => failures.length > 0).length) return 'Every endpoint.';
  const rows = returning.map(
    ({ id, tag, method, path }) =>
      html`<li>${methodBadge(method)} <a href="${areaUrl(tag)}#${id}"><code>${breakable(path)}</code></a></li>`,
  );
  if (rows.length > 12)
    return html`<details><summary>${rows.length} endpoints</summary><ul class="endpoints">${rows}</ul></details>`;
  return html`<ul class="endpoints">${rows}</ul>`;
}
