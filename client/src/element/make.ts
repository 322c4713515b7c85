// Makes the nodes of the element. Texts become text nodes, so no text of a user or a service is ever read as HTML.

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

type Child = Node | string | undefined | false;

/** `true` sets an empty attribute; `false` and undefined set none. */
export function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) element.setAttribute(key, value === true ? '' : String(value));
  element.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return element;
}

/** A line drawing of 24 units, in the colour of the text. */
export function drawIcon(path: string): SVGSVGElement {
  const space = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(space, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('class', 'icon');
  const line = document.createElementNS(space, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

export const icons = {
  alert: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 4.5V13m0 3.5v.01',
  check: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M8 12.5l2.75 2.75L16 9.5',
  chevron: 'm6 9 6 6 6-6',
} as const;
