// One endpoint of the API reference: its guards, parameters, response, failures and form.

import { failureReplies } from '../../../src/http/interface/failure-replies.ts';
import type { GuardName } from '../../../src/http/interface/route-line.ts';
import type { FailureCode } from '../../../src/kernel/failure.ts';
import { html, type Markup } from '../../../src/kernel/text/html.ts';
import { breakable, methodBadge, sample } from '../page/page.ts';
import type { ShownSchema } from './describe-schema.ts';
import type { Endpoint, Parameter } from './endpoints.ts';
import { type Field, fieldRows } from './field-list.ts';
import { snippetTabs } from './snippets.ts';
import { tryForm } from './try-form.ts';

export function endpointSection(endpoint: Endpoint): Markup {
  const { id, method, path, summary, description, guards, parameters, body, success, failures } = endpoint;
  const isTable = endpoint.statuses.length === 0;
  return html`<article class="endpoint" id="${id}" aria-labelledby="${id}-title">
<header>
<h2 id="${id}-title"><a class="anchor" href="#${id}">${summary}</a></h2>
<p class="address">${methodBadge(method)} <code>${breakable(path)}</code></p>
</header>
<div class="facts">
${description === undefined ? undefined : html`<p>${description}</p>`}
${isTable ? guardList(guards) : credentialList(endpoint.credentials)}
${parameters.length === 0 ? undefined : fieldList('Parameters', parameters.map(parameterField))}
${body === undefined ? undefined : fieldList(`Body: ${body.type}${body.isRequired ? '' : ', optional'}`, bodyFields(body.schema))}
</div>
<div class="samples">
${snippetTabs(endpoint)}
${success.example === undefined ? undefined : sample(`Response ${success.status}`, JSON.stringify(success.example, null, 2), 'json')}
${isTable ? tryForm(endpoint) : undefined}
</div>
${isTable ? failureTable(failures) : statusTable(endpoint.statuses)}
</article>`;
}

const guardNotes: Readonly<Record<GuardName, { readonly label: string; readonly note: string }>> = {
  access: { label: 'Access token', note: 'header Authorization: Bearer, or cookie JWT' },
  recent: { label: 'Recent sign-in', note: 'a sign-in, or a code entered again, within RECENT_SIGN_IN' },
  browser: { label: 'Browser', note: 'the cookies JWT and SSO of one session; a bearer token is not enough' },
  captcha: { label: 'Captcha', note: 'header captcha-token' },
  origin: { label: 'Origin', note: 'checked if a cookie authenticates' },
  host: { label: 'Host', note: 'a host name of this service, localhost or an IP address' },
  admin: { label: 'Support staff', note: 'cookie ADMIN, from the service’s own pages' },
  'admin-enabled': {
    label: 'Support staff',
    note: 'a link from “gatehouse admin token”, opened on the service’s own pages',
  },
  backend: {
    label: 'Service key',
    note: 'header Authorization: Bearer gks_…, from a server, with the scope of the call',
  },
  'refresh-origin': { label: 'Refresh token', note: 'header RT, or cookie RT with a checked origin' },
};

function guardList(guards: readonly GuardName[]): Markup {
  if (guards.length === 0)
    return html`<ul class="guards" aria-label="Needs"><li><b>Public</b> no token, no captcha</li></ul>`;
  const rows = guards.map((guard) => html`<li><b>${guardNotes[guard].label}</b> ${guardNotes[guard].note}</li>`);
  return html`<ul class="guards" aria-label="Needs">${rows}</ul>`;
}

function parameterField({ name, in: place, required, description, schema }: Parameter): Field {
  return {
    name,
    place,
    isRequired: required === true,
    schema: description === undefined ? schema : { ...schema, description },
  };
}

function bodyFields({ properties = {}, required = [] }: ShownSchema): Field[] {
  return Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }));
}

function fieldList(title: string, fields: readonly Field[]): Markup {
  if (fields.length === 0) return html`<h3>${title}</h3><p class="hint">The bytes themselves.</p>`;
  return html`<h3>${title}</h3>
${fieldRows(fields)}`;
}

const credentialNotes: Readonly<Record<string, string>> = {
  bearerAuth: 'header Authorization: Bearer, or the form',
  appSecret: 'the id and the secret of the app, as Basic or in the form',
};

function credentialList(credentials: readonly string[]): Markup {
  const [first] = credentials;
  if (first === undefined) return guardList([]);
  const label = first === 'appSecret' ? 'App' : 'Access token of an app';
  return html`<ul class="guards" aria-label="Needs"><li><b>${label}</b> ${credentialNotes[first]}</li></ul>`;
}

/** What an endpoint of another protocol answers. */
function statusTable(statuses: Endpoint['statuses']): Markup {
  const rows = statuses.map(
    ({ status, meaning, codes }) =>
      html`<tr role="row"><td role="cell">${status}</td><td role="cell">${codes.length === 0 ? '–' : html`<code>${codes.join(', ')}</code>`}</td><td role="cell">${meaning}</td></tr>`,
  );
  return table('Answers', 'Error', 'Meaning', rows);
}

/** The roles repeat what the elements mean, because CSS lays out the rows as blocks on narrow screens. */
function failureTable(codes: readonly FailureCode[]): Markup {
  const sorted = codes.toSorted((one, other) => failureReplies[one].status - failureReplies[other].status);
  const rows = sorted.map((code) => {
    const { status, when } = failureReplies[code];
    return html`<tr role="row"><td role="cell">${status}</td><td role="cell"><a href="/docs/errors#${code}"><code>${code}</code></a></td><td role="cell">${when}</td></tr>`;
  });
  return table('Failures', 'Code', 'When', rows);
}

function table(title: string, second: string, third: string, rows: readonly Markup[]): Markup {
  const heads = ['Status', second, third].map((name) => html`<th role="columnheader" scope="col">${name}</th>`);
  return html`<div class="failures">
<h3>${title}</h3>
<table role="table"><thead role="rowgroup"><tr role="row">${heads}</tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>
</div>`;
}
