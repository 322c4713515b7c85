// The “Try it” forms of the API reference: sends a request and shows the answer.
import { find } from './find.ts';

const tokenKey = 'gatehouse-docs-token';
const shownHeaders = [
  'content-type',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'www-authenticate',
  'allow',
  'link',
  'x-request-id',
];

for (const form of document.querySelectorAll<HTMLFormElement>('form[data-method]'))
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send(form);
  });
rememberToken();

async function send(form: HTMLFormElement): Promise<void> {
  const { method = 'GET', path = '' } = form.dataset;
  if (method === 'DELETE' && !confirm(`Send DELETE ${path}? This cannot be undone.`)) return;
  const button = find<HTMLButtonElement>(form, 'button');
  const outcome = find(form, '.outcome');
  const answerHeaders = find(form, '.answer-headers');
  const answerBody = find(form, '.answer-body');
  button.disabled = true;
  outcome.textContent = 'Sending…';
  const startedAt = performance.now();
  try {
    const answer = await fetch(urlOf(form, path), {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      ...headersAndBodyOf(form),
    });
    const body = await readAnswer(answer);
    outcome.textContent = `${answer.status} ${answer.statusText} · ${Math.round(performance.now() - startedAt)} ms`;
    outcome.dataset.ok = String(answer.ok);
    show(answerHeaders, headersOf(answer));
    show(answerBody, body.text);
    answerBody.scrollIntoView({ block: 'nearest' });
    if (answer.ok) takeTokens(body.json);
  } catch (error) {
    outcome.textContent = `No response: ${error instanceof Error ? error.message : error}`;
    outcome.dataset.ok = 'false';
    show(answerHeaders, '');
    show(answerBody, '');
  } finally {
    button.disabled = false;
    button.focus({ preventScroll: true });
  }
}

function inputs(form: HTMLFormElement, place: 'path' | 'query' | 'header'): [name: string, value: string][] {
  return [...form.querySelectorAll<HTMLInputElement>(`[data-in="${place}"]`)].map(({ name, value }) => [
    name,
    value.trim(),
  ]);
}

function urlOf(form: HTMLFormElement, template: string): string {
  const path = inputs(form, 'path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)),
    template,
  );
  const query = new URLSearchParams(inputs(form, 'query').filter(([, value]) => value !== ''));
  return query.size === 0 ? path : `${path}?${query}`;
}

function headersAndBodyOf(form: HTMLFormElement): RequestInit {
  const headers = new Headers();
  for (const [name, value] of inputs(form, 'header')) {
    if (value !== '') headers.set(name, name === 'Authorization' ? `Bearer ${value.replace(/^bearer +/i, '')}` : value);
  }
  const field = form.elements.namedItem('body');
  const body = field instanceof HTMLTextAreaElement ? field.value.trim() : '';
  if (body === '') return { headers };
  headers.set('content-type', 'application/json');
  return { headers, body };
}

async function readAnswer(answer: Response): Promise<{ text: string; json?: unknown }> {
  const type = answer.headers.get('content-type') ?? '';
  if (!/json|^text\//.test(type)) return { text: `${(await answer.blob()).size} bytes` };
  const text = await answer.text();
  try {
    const json: unknown = JSON.parse(text);
    return { json, text: JSON.stringify(json, null, 2) };
  } catch {
    return { text };
  }
}

function headersOf(answer: Response): string {
  return shownHeaders
    .filter((name) => answer.headers.has(name))
    .map((name) => `${name}: ${answer.headers.get(name)}`)
    .join('\n');
}

function show(element: HTMLElement, text: string): void {
  element.textContent = text;
  element.hidden = text === '';
}

/** After a sign-in or a renewal, every form uses the new tokens. A reused refresh token would end the session. */
function takeTokens(json: unknown): void {
  const { JWT, RT } = (json as { data?: { JWT?: unknown; RT?: unknown } | null } | undefined)?.data ?? {};
  if (typeof JWT === 'string') {
    sessionStorage.setItem(tokenKey, JWT);
    fill('Authorization', JWT);
  }
  if (typeof RT === 'string') fill('RT', RT);
}

function fill(name: string, value: string): void {
  for (const input of document.querySelectorAll<HTMLInputElement>(`input[name="${name}"]`)) input.value = value;
}

function rememberToken(): void {
  const known = sessionStorage.getItem(tokenKey);
  if (known !== null) fill('Authorization', known);
  for (const input of document.querySelectorAll<HTMLInputElement>('input[name="Authorization"]')) {
    input.addEventListener('input', () => {
      sessionStorage.setItem(tokenKey, input.value);
      fill('Authorization', input.value);
    });
  }
}
