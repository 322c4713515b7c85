// Solves the captcha of a provider with the provider's widget. The server names the URL of the script.
import { facts } from './facts.ts';

type Widget = {
  render(place: HTMLElement, options: Readonly<Record<string, unknown>>): unknown;
  reset(id: unknown): void;
  ready?(done: () => void): void;
};

/** Shows the widget below the form. It may ask the user for a click. */
export async function solveWithWidget(): Promise<string> {
  const widget = await load();
  const place = document.createElement('div');
  place.className = 'captcha';
  (document.querySelector('form') ?? document.body).append(place);
  try {
    return await new Promise<string>((resolve, reject) => {
      widget.render(place, {
        sitekey: facts.captcha.siteKey,
        theme: matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
        callback: resolve,
        'error-callback': () => reject(new Error('captcha')),
      });
    });
  } finally {
    place.remove();
  }
}

let loading: Promise<Widget> | undefined;

function load(): Promise<Widget> {
  loading ??= new Promise<Widget>((resolve, reject) => {
    const { address, global: name } = facts.captcha.widget ?? { address: '', global: '' };
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => {
      const widget = (window as unknown as Record<string, Widget>)[name];
      if (widget === undefined) return reject(new Error(`no ${name}`));
      if (widget.ready === undefined) resolve(widget);
      else widget.ready(() => resolve(widget));
    };
    script.onerror = () => {
      loading = undefined;
      reject(new Error(`${name} cannot be reached`));
    };
    document.head.append(script);
  });
  return loading;
}
