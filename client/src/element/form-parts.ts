// The parts of the steps: fields, buttons, messages that screen readers announce, and actions that may fail.
import { drawIcon, icons, make } from './make.ts';
import { type Failure, readFailure, type Scene } from './scene.ts';

export function makeTitle(text: string): HTMLElement {
  return make('h2', { part: 'title', tabindex: -1 }, text);
}

export function makeLead(...children: readonly (Node | string)[]): HTMLElement {
  return make('p', { part: 'lead', class: 'lead' }, ...children);
}

export function makeButton(kind: 'primary' | 'plain' | 'quiet', text: string, onClick?: () => void): HTMLButtonElement {
  const type = onClick === undefined ? 'submit' : 'button';
  const part = kind === 'primary' ? 'button button-primary' : `button button-${kind}`;
  const button = make('button', { type, part, class: `button ${kind}` }, make('span', {}, text));
  if (onClick !== undefined)
    button.addEventListener('click', () => {
      if (button.ariaBusy !== 'true') onClick();
    });
  return button;
}

export function makeLink(text: string, onClick: () => void): HTMLButtonElement {
  const link = make('button', { type: 'button', part: 'link', class: 'link' }, text);
  link.addEventListener('click', onClick);
  return link;
}

export function makeField(label: string, id: string, control: HTMLElement): HTMLElement {
  return make('div', { part: 'field', class: 'field' }, make('label', { for: id, part: 'label' }, label), control);
}

export type Notice = { readonly node: HTMLElement; readonly show: (text: string) => void };

/** Always there, because screen readers announce only changes of existing nodes. */
export function makeNotice(kind: 'bad' | 'good'): Notice {
  const part = kind === 'bad' ? 'error' : 'notice';
  const node = make('div', { class: `notice ${kind}`, part, role: kind === 'bad' ? 'alert' : 'status' });
  const show = (text: string) =>
    text === ''
      ? node.replaceChildren()
      : node.replaceChildren(drawIcon(kind === 'bad' ? icons.alert : icons.check), make('span', {}, text));
  return { node, show };
}

type Task = {
  readonly scene: Scene;
  readonly notice: Notice;
  /** Shows that it runs, and takes no click meanwhile. */
  readonly button: HTMLButtonElement;
  /** Returns another text for the user, or undefined. */
  readonly explain?: (failure: Failure) => string | undefined;
};

/** Runs one action at a time. A failure is shown to the user and reported to the page. */
export function createTask({ scene, notice, button, explain }: Task): (work: () => Promise<void>) => Promise<void> {
  const setBusy = (isBusy: boolean) => {
    button.ariaBusy = String(isBusy);
  };
  return async (work) => {
    if (button.ariaBusy === 'true') return;
    setBusy(true);
    notice.show('');
    try {
      await work();
    } catch (error) {
      const failure = readFailure(error);
      const { code, status, retryAfterSeconds } = failure;
      const text = code === 'NETWORK' ? scene.facts.texts.offline : failure.message;
      const message = explain?.(failure) ?? text;
      if (!scene.left.aborted) notice.show(message);
      scene.report({ code, message, status, retryAfterSeconds, step: scene.step });
    } finally {
      setBusy(false);
    }
  };
}

export function makeForm(onSubmit: () => void, ...children: readonly (Node | undefined)[]): HTMLFormElement {
  const form = make('form', { part: 'form', novalidate: true }, ...children);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    onSubmit();
  });
  return form;
}

export function setInvalid(input: HTMLElement, isInvalid: boolean): void {
  input.setAttribute('aria-invalid', String(isInvalid));
}
