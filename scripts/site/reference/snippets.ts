// An endpoint as code: for curl, TypeScript and Python, each with the standard library of its language only.

import { sampleOf } from '../../../src/http/interface/sample-value.ts';
import { html, type Markup } from '../../../src/kernel/text/html.ts';
import { withOrigin } from '../page/highlight.ts';
import type { Endpoint } from './endpoints.ts';
import { localCaptchaToken } from './try-form.ts';

/** A name in braces is a variable of the reader: {JWT}, {id}. */
type Request = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body:
    | { readonly kind: 'json'; readonly value: unknown }
    | { readonly kind: 'form'; readonly fields: readonly (readonly [string, string])[] }
    | { readonly kind: 'file' }
    | { readonly kind: 'bytes' }
    | undefined;
};

const languages = [
  ['curl', 'sh'],
  ['TypeScript', 'ts'],
  ['Python', 'python'],
] as const;

/** One panel for each language, chosen by radio buttons, so that it works without a script. */
export function snippetTabs(endpoint: Endpoint): Markup {
  const request = requestOf(endpoint);
  const texts = [writeCurl(request), writeTypeScript(request), writePython(request)];
  const { id, summary } = endpoint;
  const choices = languages.map(([name], index) => {
    const key = `${id}-${name.toLowerCase()}`;
    return html`<input type="radio" name="${id}-language" id="${key}" value="${name}"${index === 0 ? html` checked` : undefined}><label for="${key}">${name}</label>`;
  });
  const panels = languages.map(
    ([, language], index) =>
      html`<pre tabindex="0" data-panel="${index}"><code>${withOrigin(texts[index] ?? '', language)}</code></pre>`,
  );
  return html`<figure class="sample tabs">
<figcaption class="visually-hidden">Request: ${summary}</figcaption>
<div class="choices" role="radiogroup" aria-label="Language of the example">${choices}</div>
<button type="button" data-copy hidden>Copy</button>
${panels}
</figure>`;
}

function requestOf({ method, path, guards, credentials, parameters, body }: Endpoint): Request {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(sampleOf(schema)))}`);
  const headers = parameters
    .filter((parameter) => parameter.in === 'header' && parameter.required)
    .map(
      ({ name, schema }) => [name, name === 'captcha-token' ? localCaptchaToken : String(sampleOf(schema))] as const,
    );
  const bearer = guards.includes('access') || credentials.includes('bearerAuth') ? '{JWT}' : undefined;
  const key = guards.includes('backend') ? '{KEY}' : bearer;
  return {
    method,
    url: query.length === 0 ? path : `${path}?${query.join('&')}`,
    headers: [
      ...(key === undefined ? [] : [['Authorization', `Bearer ${key}`] as const]),
      ...(guards.includes('refresh-origin') ? [['RT', '{RT}'] as const] : []),
      ...(guards.includes('admin') ? [['Cookie', 'ADMIN={ADMIN}'] as const] : []),
      ...headers,
    ],
    body: bodyOf(body),
  };
}

function bodyOf(body: Endpoint['body']): Request['body'] {
  if (body === undefined) return undefined;
  if (body.type === 'application/json') return { kind: 'json', value: body.example };
  if (body.type === 'multipart/form-data') return { kind: 'file' };
  if (body.type !== 'application/x-www-form-urlencoded') return { kind: 'bytes' };
  const { properties = {}, required = [] } = body.schema;
  const sampled = body.example as Readonly<Record<string, unknown>>;
  const names = Object.keys(properties).filter((name) => required.includes(name) || required.length === 0);
  return { kind: 'form', fields: names.map((name) => [name, String(sampled[name])]) };
}

function writeCurl({ method, url, headers, body }: Request): string {
  const options = [
    ...headers.map(([name, value]) => `-H ${shell(`${name}: ${value}`)}`),
    ...(body?.kind === 'json'
      ? ['-H "Content-Type: application/json"', `-d ${quote(JSON.stringify(body.value))}`]
      : []),
    ...(body?.kind === 'form'
      ? body.fields.map(([name, value]) => `--data-urlencode ${quote(`${name}=${value}`)}`)
      : []),
    ...(body?.kind === 'file' ? ['-F file=@me.jpg', '-F purpose=avatar'] : []),
    ...(body?.kind === 'bytes' ? ['-H "Content-Type: application/partial-upload"', '--data-binary @part'] : []),
  ];
  const verb = method === 'GET' ? 'curl' : `curl -X ${method}`;
  const target = `"$BASE${url.replaceAll(variable, (_, name: string) => `$${name.toUpperCase()}`)}"`;
  return [`${verb} ${target}`, ...options].join(' \\\n  ');
}

const variable = /\{(\w+)\}/g;

/** Double quotes if the value has a variable of the shell. */
function shell(text: string): string {
  if (!/\{\w+\}/.test(text)) return quote(text);
  return `"${text.replaceAll(variable, (_, name: string) => `$${name.toUpperCase()}`)}"`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function writeTypeScript({ method, url, headers, body }: Request): string {
  const text = (value: string) =>
    /\{\w+\}/.test(value)
      ? `\`${value.replaceAll(variable, (_, name: string) => `\${${name}}`)}\``
      : JSON.stringify(value);
  const type = { json: 'application/json', bytes: 'application/partial-upload', form: undefined, file: undefined };
  const ownType = body === undefined ? undefined : type[body.kind];
  const all = [...headers, ...(ownType === undefined ? [] : [['Content-Type', ownType] as const])];
  const fields = all.map(
    ([name, value]) => `${/^[A-Za-z]+$/.test(name) ? name : JSON.stringify(name)}: ${text(value)}`,
  );
  const lines = [
    ...(method === 'GET' ? [] : [`method: "${method}",`]),
    ...(fields.length === 0 ? [] : [`headers: { ${fields.join(', ')} },`]),
    ...(body?.kind === 'json' ? [`body: JSON.stringify(${indent(JSON.stringify(body.value, null, 2), 2)}),`] : []),
    ...(body?.kind === 'form'
      ? [`body: new URLSearchParams(${JSON.stringify(Object.fromEntries(body.fields))}),`]
      : []),
    ...(body?.kind === 'file' ? ['body: form,'] : []),
    ...(body?.kind === 'bytes' ? ['body: part,'] : []),
  ];
  const before =
    body?.kind === 'file'
      ? 'const form = new FormData();\nform.set("purpose", "avatar");\nform.set("file", file);\n\n'
      : '';
  const options = lines.length === 0 ? '' : `, {\n  ${lines.join('\n  ')}\n}`;
  return `${before}const response = await fetch(${text(`$BASE${url}`)}${options});
const { success, message, codeError, data } = await response.json();`;
}

/** A file goes as a raw body: the standard library of Python has no multipart forms. */
function writePython({ method, url, headers, body }: Request): string {
  const text = (value: string) => (/\{\w+\}/.test(value) ? `f${JSON.stringify(value)}` : JSON.stringify(value));
  const path = body?.kind === 'file' ? `${url}?purpose=avatar&name=me.jpg` : url;
  const types = { json: 'application/json', bytes: 'application/partial-upload', file: 'image/jpeg', form: undefined };
  const ownType = body === undefined ? undefined : types[body.kind];
  const all = [...headers, ...(ownType === undefined ? [] : [['Content-Type', ownType] as const])];
  const data = {
    json: () => `json.dumps(${body?.kind === 'json' ? python(body.value) : ''}).encode()`,
    form: () =>
      `urllib.parse.urlencode(${body?.kind === 'form' ? python(Object.fromEntries(body.fields)) : ''}).encode()`,
    file: () => 'open("me.jpg", "rb").read()',
    bytes: () => 'open("part", "rb").read()',
  };
  const parts = [
    text(`$BASE${path}`),
    ...(method === 'GET' ? [] : [`method="${method}"`]),
    ...(all.length === 0
      ? []
      : [`headers={${all.map(([name, value]) => `${JSON.stringify(name)}: ${text(value)}`).join(', ')}}`]),
    ...(body === undefined ? [] : [`data=${data[body.kind]()}`]),
  ];
  return `import json, urllib.${body?.kind === 'form' ? 'parse, urllib.' : ''}request

request = urllib.request.Request(
    ${parts.join(',\n    ')},
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`;
}

/** JSON as Python writes it. */
function python(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, field]) => `${JSON.stringify(name)}: ${python(field)}`)
    .join(', ')}}`;
}

function indent(text: string, spaces: number): string {
  return text.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}
