// Writes an endpoint as a curl command for a shell in which BASE, JWT and RT are set.

import { html, type Markup } from '../../kernel/html.ts';
import { sampleOf } from '../interface/sample-value.ts';
import type { Endpoint } from './endpoints.ts';
import { breakable } from './page.ts';
import { localCaptchaToken } from './try-form.ts';

/** The base URL is marked, so that the page's script can replace it with the origin of the page. */
export function curlOf(endpoint: Endpoint): Markup {
  const { method } = endpoint;
  const verb = method === 'GET' ? 'curl' : `curl -X ${method}`;
  const options = optionsOf(endpoint).map((option) => ` \\\n  ${option}`);
  return html`${verb} "<span data-origin>$BASE</span>${breakable(urlOf(endpoint))}"${options}`;
}

/** curl interprets braces, so a {name} becomes a shell variable. */
function urlOf({ path, parameters }: Endpoint): string {
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map(({ name, schema }) => `${name}=${encodeURIComponent(String(sampleOf(schema)))}`);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  return query.length === 0 ? filled : `${filled}?${query.join('&')}`;
}

function optionsOf({ guards, parameters, body }: Endpoint): string[] {
  const headers = parameters.filter((parameter) => parameter.in === 'header' && parameter.required);
  return [
    ...(guards.includes('access') ? ['-H "Authorization: Bearer $JWT"'] : []),
    ...(guards.includes('refresh-origin') ? ['-H "RT: $RT"'] : []),
    ...headers.map(
      ({ name, schema }) =>
        `-H ${quote(`${name}: ${name === 'captcha-token' ? localCaptchaToken : sampleOf(schema)}`)}`,
    ),
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quote(JSON.stringify(body.example))}`]),
  ];
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
