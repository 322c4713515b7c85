// What the docs pages gain with JavaScript: sending requests, copying examples, a contents list that folds on small screens.

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

for (const element of document.querySelectorAll('[data-needs-script]')) element.hidden = false;
for (const element of document.querySelectorAll('[data-origin]')) element.textContent = location.origin;
for (const form of document.querySelectorAll('form[data-method]')) form.addEventListener('submit', onSubmit);
rememberToken();
offerCopy();
foldContents();
followReading();

async function onSubmit(event) {
  event.preventDefault();
  const form = event.currentTarget;
  const { method, path } = form.dataset;
  if (method === 'DELETE' && !confirm(`Really send DELETE ${path}?`)) return;
  const button = form.querySelector('button');
  const outcome = form.querySelector('.outcome');
  button.disabled = true;
  outcome.textContent = 'Sending…';
  const begun = performance.now();
  try {
    const answer = await fetch(addressOf(form), {
      method,
      credentials: 'same-origin',
      cache: 'no-store',
      ...contentOf(form),
    });
    const body = await readAnswer(answer);
    outcome.textContent = `${answer.status} ${answer.statusText} · ${Math.round(performance.now() - begun)} ms`;
    outcome.dataset.ok = answer.ok;
    show(form.querySelector('.answer-headers'), headersOf(answer));
    show(form.querySelector('.answer-body'), body.text);
    form.querySelector('.answer-body').scrollIntoView({ block: 'nearest' });
    if (answer.ok) takeTokens(body.json);
  } catch (error) {
    outcome.textContent = `No answer: ${error.message}`;
    outcome.dataset.ok = false;
    show(form.querySelector('.answer-headers'), '');
    show(form.querySelector('.answer-body'), '');
  } finally {
    button.disabled = false;
    button.focus({ preventScroll: true });
  }
}

function inputs(form, place) {
  return [...form.querySelectorAll(`[data-in="${place}"]`)].map(({ name, value }) => [name, value.trim()]);
}

function addressOf(form) {
  const path = inputs(form, 'path').reduce(
    (text, [name, value]) => text.replace(`{${name}}`, () => encodeURIComponent(value)),
    form.dataset.path,
  );
  const query = new URLSearchParams(inputs(form, 'query').filter(([, value]) => value !== ''));
  return query.size === 0 ? path : `${path}?${query}`;
}

function contentOf(form) {
  const headers = new Headers();
  for (const [name, value] of inputs(form, 'header')) {
    if (value !== '') headers.set(name, name === 'Authorization' ? `Bearer ${value.replace(/^bearer +/i, '')}` : value);
  }
  const body = form.elements.namedItem('body')?.value.trim() ?? '';
  if (body === '') return { headers };
  headers.set('content-type', 'application/json');
  return { headers, body };
}

async function readAnswer(answer) {
  const type = answer.headers.get('content-type') ?? '';
  if (!/json|^text\//.test(type)) return { text: `${(await answer.blob()).size} bytes` };
  const text = await answer.text();
  try {
    const json = JSON.parse(text);
    return { json, text: JSON.stringify(json, null, 2) };
  } catch {
    return { text };
  }
}

function headersOf(answer) {
  return shownHeaders
    .filter((name) => answer.headers.has(name))
    .map((name) => `${name}: ${answer.headers.get(name)}`)
    .join('\n');
}

function show(element, text) {
  element.textContent = text;
  element.hidden = text === '';
}

/** After a sign-in or a renewal every form uses the new pair; an old refresh token sent again would end the session. */
function takeTokens(json) {
  const { JWT, RT } = json?.data ?? {};
  if (typeof JWT === 'string') {
    sessionStorage.setItem(tokenKey, JWT);
    fill('Authorization', JWT);
  }
  if (typeof RT === 'string') fill('RT', RT);
}

function fill(name, value) {
  for (const input of document.querySelectorAll(`input[name="${name}"]`)) input.value = value;
}

function rememberToken() {
  const known = sessionStorage.getItem(tokenKey);
  if (known !== null) fill('Authorization', known);
  for (const input of document.querySelectorAll('input[name="Authorization"]')) {
    input.addEventListener('input', () => {
      sessionStorage.setItem(tokenKey, input.value);
      fill('Authorization', input.value);
    });
  }
}

/** Browsers give the clipboard to secure pages only; elsewhere the buttons stay hidden. */
function offerCopy() {
  if (navigator.clipboard === undefined) return;
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.closest('figure').querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 1500);
    });
  }
}

function foldContents() {
  const contents = document.querySelector('.side details');
  const wide = matchMedia('(min-width: 60rem)');
  const adapt = () => {
    contents.open = wide.matches;
  };
  adapt();
  wide.addEventListener('change', adapt);
  contents.addEventListener('click', ({ target }) => {
    if (!wide.matches && target.closest('a') !== null) contents.open = false;
  });
}

/** Marks in the contents what is being read. */
function followReading() {
  const links = new Map([...document.querySelectorAll('.side a')].map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver(
    (entries) => {
      const entered = entries.find(({ isIntersecting }) => isIntersecting);
      if (entered === undefined) return;
      for (const link of links.values()) link.removeAttribute('aria-current');
      const current = links.get(entered.target.id);
      current?.setAttribute('aria-current', 'true');
      keepInSight(current);
    },
    { rootMargin: '-15% 0px -80% 0px' },
  );
  for (const article of document.querySelectorAll('main article')) observer.observe(article);
}

/** Moves the contents alone: scrollIntoView would interrupt the page on its way to an anchor. */
function keepInSight(link) {
  const side = document.querySelector('.side');
  const [box, place] = [side, link ?? side].map((element) => element.getBoundingClientRect());
  if (place.top < box.top || place.bottom > box.bottom) side.scrollTop += place.top - box.top - box.height / 2;
}
