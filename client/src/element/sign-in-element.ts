// The element <gatehouse-sign-in>: signs a user in by phone code or e-mail link, on a page of any origin.
import { createGatehouse, type Gatehouse, type SignOutReason } from '../create-gatehouse.ts';
import { withoutSlash } from '../without-slash.ts';
import { type ElementFacts, loadFacts } from './element-facts.ts';
import { elementStyle } from './element-style.ts';
import { makeButton, makeNotice, makeTitle } from './form-parts.ts';
import { drawIcon, icons, make } from './make.ts';
import { isFailure, type Method, type Scene, type SignInFault, type Step, type View } from './scene.ts';
import { showStep } from './show-step.ts';

/** The events of the element. They bubble, and leave the shadow roots that they are in. */
export type SignInEvents = {
  /** `isRestored`: the user was signed in before the element appeared. */
  'gatehouse-signed-in': { readonly client: Gatehouse; readonly isRestored: boolean };
  'gatehouse-signed-out': { readonly reason: SignOutReason };
  'gatehouse-error': SignInFault;
};

const allMethods: readonly Method[] = ['phone', 'email'];
/** On a server there are no elements; the module can be imported there all the same. */
const Base = (globalThis.HTMLElement ?? class {}) as typeof HTMLElement;

export class GatehouseSignIn extends Base {
  static readonly observedAttributes = ['base-url', 'lang', 'methods', 'mode', 'country'];
  /** The service to use without `base-url`: that of the script, if the service serves it. */
  static defaultBaseUrl = '';

  #client: Gatehouse | undefined;
  #isOwnClient = false;
  #card: HTMLElement | undefined;
  #facts: ElementFacts | undefined;
  #connected = new AbortController();
  #step = new AbortController();
  readonly #typed = { phone: '', email: '' };

  /** The client that signs the user in. The page may set its own; otherwise the element creates one from its attributes. */
  get client(): Gatehouse {
    this.#isOwnClient ||= this.#client === undefined;
    this.#client ??= createGatehouse({
      url: this.#base,
      ...(this.hasAttribute('mode') && { mode: this.getAttribute('mode') === 'cookie' ? 'cookie' : 'header' }),
      language: this.#languages,
      onCaptchaProgress: (share) => this.#card?.style.setProperty('--_progress', String(share % 1)),
    });
    return this.#client;
  }

  set client(client: Gatehouse) {
    if (client === this.#client) return;
    this.#client = client;
    this.#isOwnClient = false;
    this.#restart();
  }

  connectedCallback(): void {
    // A client that the page has set before this module was loaded hides the property of the class.
    const early = Object.getOwnPropertyDescriptor(this, 'client');
    if (early !== undefined) {
      Reflect.deleteProperty(this, 'client');
      this.client = early.value as Gatehouse;
    }
    if (this.#card === undefined) {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(elementStyle);
      const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
      root.adoptedStyleSheets = [sheet];
      this.#card = make('div', { class: 'card', part: 'card' });
      root.append(this.#card);
    }
    this.#restart();
  }

  disconnectedCallback(): void {
    this.#connected.abort();
    this.#step.abort();
  }

  attributeChangedCallback(name: string, before: string | null, after: string | null): void {
    if (before === after) return;
    // A client without a session can be replaced. One with a session keeps its language.
    if (this.#isOwnClient && this.getAttribute('state') !== 'signed-in' && name !== 'country') this.#client = undefined;
    this.#restart();
  }

  get #base(): string {
    const given = this.#isOwnClient ? undefined : this.#client?.url;
    const url = withoutSlash(this.getAttribute('base-url') ?? given ?? GatehouseSignIn.defaultBaseUrl);
    return url !== '' && new URL(url, location.href).href === `${location.origin}/` ? '' : url;
  }

  get #languages(): string {
    return this.closest('[lang]')?.getAttribute('lang') || navigator.languages.join(', ') || 'en';
  }

  /** A link by e-mail signs in on the origin of the service, so pages of other origins offer it only if they ask for it. */
  get #methods(): readonly Method[] {
    const named = this.getAttribute('methods')?.split(/[\s,]+/) ?? (this.#base === '' ? allMethods : ['phone']);
    const known = named.filter((name): name is Method => allMethods.some((method) => method === name));
    return known.length > 0 ? known : ['phone'];
  }

  #restart(): void {
    if (!this.isConnected || this.#card === undefined) return;
    this.#connected.abort();
    this.#connected = new AbortController();
    void this.#start(this.#connected.signal);
  }

  async #start(left: AbortSignal): Promise<void> {
    const bones = ['', '', ''].map(() => make('div', { class: 'bone' }));
    this.#show({ node: make('div', { class: 'step', 'aria-busy': 'true' }, ...bones), focus: this }, false);
    try {
      const { client } = this;
      const [facts, isSignedIn] = await Promise.all([loadFacts(this.#base, this.#languages), client.isSignedIn()]);
      if (left.aborted) return;
      this.#facts = facts;
      this.#card?.setAttribute('dir', facts.direction);
      this.#card?.setAttribute('lang', facts.language);
      const stops = [
        client.on('signed-in', () => this.#go({ name: 'done' })),
        client.on('signed-out', ({ reason }) => {
          this.#go({ name: this.#methods[0] ?? 'phone' });
          this.#tell('gatehouse-signed-out', { reason });
        }),
      ];
      left.addEventListener('abort', () => {
        for (const stop of stops) stop();
      });
      if (isSignedIn) this.#finish(true);
      else this.#go({ name: this.#methods[0] ?? 'phone' }, this.hasAttribute('autofocus'));
    } catch (error) {
      if (!left.aborted) this.#showOffline(error, left);
    }
  }

  #go(step: Step, takesFocus = true): void {
    if (this.#facts === undefined) return;
    if (step.name === 'done') {
      this.#finish(false);
      return;
    }
    this.setAttribute('state', step.name);
    this.#step.abort();
    this.#step = new AbortController();
    const scene: Scene = {
      client: this.client,
      facts: this.#facts,
      base: this.#base,
      methods: this.#methods,
      country: this.getAttribute('country'),
      typed: this.#typed,
      step: step.name,
      go: (next) => this.#go(next),
      report: (fault) => this.#tell('gatehouse-error', fault),
      left: this.#step.signal,
    };
    this.#show(showStep(scene, step), takesFocus);
  }

  #finish(isRestored: boolean): void {
    this.#step.abort();
    const title = makeTitle(this.#facts?.texts.done ?? '');
    const done = make('div', { class: 'done', part: 'done', role: 'status' }, drawIcon(icons.check), title);
    const node = make('slot', { name: 'signed-in' }, done);
    this.setAttribute('state', 'signed-in');
    this.#show({ node, focus: title }, !isRestored);
    this.#tell('gatehouse-signed-in', { client: this.client, isRestored });
  }

  /** There are no texts yet, so these are in English. */
  #showOffline(error: unknown, left: AbortSignal): void {
    const offline = 'The service cannot be reached. Check your connection and try again.';
    const { code, message, status } = isFailure(error) ? error : { code: 'NETWORK', message: offline, status: 0 };
    const bad = makeNotice('bad');
    const again = makeButton('primary', 'Try again', () => this.#restart());
    this.#show({ node: make('div', { class: 'step' }, bad.node, again), focus: again }, false);
    bad.show(message);
    this.setAttribute('state', 'offline');
    addEventListener('online', () => this.#restart(), { once: true, signal: left });
    this.#tell('gatehouse-error', { code, message, status, retryAfterSeconds: undefined, step: 'start' });
  }

  #show({ node, focus }: View, takesFocus: boolean): void {
    this.#card?.replaceChildren(node, make('slot', { name: 'footer' }));
    if (takesFocus) focus.focus();
  }

  #tell<Name extends keyof SignInEvents>(name: Name, detail: SignInEvents[Name]): void {
    this.dispatchEvent(new CustomEvent(name, { detail, bubbles: true, composed: true }));
  }
}

/** Does nothing on a server, and if the page has defined the element already. */
export function defineSignIn(): void {
  if (typeof customElements !== 'object' || customElements.get('gatehouse-sign-in') !== undefined) return;
  customElements.define('gatehouse-sign-in', GatehouseSignIn);
}

declare global {
  interface HTMLElementTagNameMap {
    'gatehouse-sign-in': GatehouseSignIn;
  }
  interface GlobalEventHandlersEventMap {
    'gatehouse-signed-in': CustomEvent<SignInEvents['gatehouse-signed-in']>;
    'gatehouse-signed-out': CustomEvent<SignInEvents['gatehouse-signed-out']>;
    'gatehouse-error': CustomEvent<SignInEvents['gatehouse-error']>;
  }
}
