// GET /docs: where to begin, and every page of the documentation by reader.
import { html, type Markup } from '../../src/kernel/text/html.ts';
import { brandName, sample } from './page/page.ts';
import { areaNames, areaUrl, topicUrl } from './page/site-nav.ts';
import type { Interface } from './reference/endpoints.ts';
import type { Topic, TopicGroup } from './site-content.ts';

const firstCall = `# In local mode any captcha-token is accepted.
curl -X POST "$BASE/api/auth/phone/send/otp" \\
  -H 'captcha-token: local' -H 'Content-Type: application/json' \\
  -d '{"recipient":"+12025550123"}'

# The code arrives in the inbox: $BASE/inbox
curl -X POST "$BASE/api/auth/phone/login" \\
  -H 'Content-Type: application/json' \\
  -d '{"phone":"+12025550123","otp":"123456"}'`;

export function startMain(groups: readonly TopicGroup[], { tags, endpoints }: Interface): Markup {
  return html`<section class="hero" aria-labelledby="title">
<div>
<h1 id="title">${brandName} documentation</h1>
<p class="lead">Sign users in by phone or e-mail, keep their files, and let other apps sign in with them: one service, one envelope for every answer.</p>
<p class="actions"><a class="button" href="/docs/api">API reference</a> <a class="button quiet" href="/docs/errors">Error codes</a> <a class="button quiet" href="/openapi.json">openapi.json</a></p>
</div>
${sample('Two calls sign a user in', firstCall, 'sh')}
</section>
<section class="index" aria-labelledby="areas">
<h2 id="areas">API reference</h2>
<ul class="cards">${tags.map(({ name, description }) => {
    const count = endpoints.filter(({ tag }) => tag === name).length;
    return card(areaUrl(name), areaNames[name], description, `${count} ${count === 1 ? 'endpoint' : 'endpoints'}`);
  })}</ul>
</section>
${groups.map(groupSection)}`;
}

function groupSection({ title, topics }: TopicGroup, index: number): Markup {
  const id = `topics-${index}`;
  return html`<section class="index" aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<ul class="cards">${topics.map((topic: Topic) => card(topicUrl(topic.slug), topic.title, topic.lead))}</ul>
</section>`;
}

function card(href: string, title: string, lead: string, note?: string): Markup {
  return html`<li><a href="${href}"><b>${title}</b> <span>${lead}</span>${note === undefined ? undefined : html` <small>${note}</small>`}</a></li>`;
}
