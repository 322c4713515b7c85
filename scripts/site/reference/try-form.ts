// The "Try it" form of an endpoint, with one labelled control per part of the request. The page's script sends it.

import { html, type Markup } from '../../../src/kernel/text/html.ts';
import type { Endpoint, Parameter } from './endpoints.ts';

/** The value in the examples. In local mode any text is accepted. */
export const localCaptchaToken = 'local';

type Input = {
  readonly place: Parameter['in'];
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly value?: string;
  readonly isRequired?: boolean;
};

/** Hidden until the script has loaded, because the script sends it. */
export function tryForm(endpoint: Endpoint): Markup {
  const { id, method, path, summary, body } = endpoint;
  return html`<details class="try" data-needs-script hidden>
<summary>Try it</summary>
<form data-method="${method}" data-path="${path}" aria-label="Try: ${summary}">
${inputsOf(endpoint).map((input) => control(id, input))}
${body === undefined ? undefined : bodyControl(id, body)}
<button type="submit">Send request</button>
<p class="outcome" role="status"></p>
<pre class="answer-headers" role="group" aria-label="Response headers" hidden></pre>
<pre class="answer-body" role="group" tabindex="0" aria-label="Response body" hidden></pre>
</form>
</details>`;
}

function inputsOf({ guards, parameters }: Endpoint): Input[] {
  return [
    ...(guards.includes('access') ? [bearer] : []),
    ...(guards.includes('refresh-origin') ? [refreshToken] : []),
    ...parameters.map(toInput),
  ];
}

const bearer: Input = {
  place: 'header',
  name: 'Authorization',
  label: 'Access token (Authorization: Bearer)',
  hint: 'A sign-in on this page fills this in. If it is empty, the browser’s JWT cookie is used.',
};

const refreshToken: Input = {
  place: 'header',
  name: 'RT',
  label: 'Refresh token (header RT)',
  hint: 'A sign-in on this page fills this in. If it is empty, the browser’s RT cookie is used.',
};

function toInput({ in: place, name, required, description = '' }: Parameter): Input {
  const label = `${name} (${place})`;
  if (name === 'captcha-token') {
    return {
      place,
      name,
      label,
      hint: `${description}. In local mode any text is accepted.`,
      value: localCaptchaToken,
    };
  }
  return { place, name, label, hint: description, isRequired: required === true };
}

function control(endpointId: string, { place, name, label, hint, value = '', isRequired = false }: Input): Markup {
  const id = `${endpointId}-${place}-${name}`;
  return html`<div class="control">
<label for="${id}">${label}</label>
<input id="${id}" name="${name}" data-in="${place}" value="${value}" autocomplete="off" autocapitalize="none" spellcheck="false"${
    hint === '' ? undefined : html` aria-describedby="${id}-hint"`
  }${isRequired ? html` required` : undefined}>
${hint === '' ? undefined : html`<p class="hint" id="${id}-hint">${hint}</p>`}
</div>`;
}

function bodyControl(endpointId: string, { example, isRequired }: NonNullable<Endpoint['body']>): Markup {
  const id = `${endpointId}-body`;
  const text = JSON.stringify(example ?? {}, null, 2);
  return html`<div class="control">
<label for="${id}">Body (JSON${isRequired ? '' : ', may be empty'})</label>
<textarea id="${id}" name="body" rows="${text.split('\n').length + 1}" autocapitalize="none" autocomplete="off" spellcheck="false">
${text}</textarea>
</div>`;
}
