// How much a browser draws for an SVG: references within the file multiply it, so that a small file can stop a browser.
import type { XmlElement } from '@rgrove/parse-xml';

const mostDrawn = 20_000;

/** Describes what is wrong: references in a circle, or too many copies. Undefined if the browser has little to do. */
export function findHeavyUse(elements: readonly XmlElement[]): string | undefined {
  const byId = new Map(elements.map((element) => [element.attributes.id ?? '', element]));
  const weights = new Map<XmlElement, number>();
  const open = new Set<XmlElement>();
  let isCircle = false;
  /** Itself, its children, and everything that they refer to. The depth is bounded by the file and by `open`. */
  const weigh = (element: XmlElement, depth: number): number => {
    const known = weights.get(element);
    if (known !== undefined) return known;
    if (open.has(element) || depth > 500) {
      isCircle = true;
      return 0;
    }
    open.add(element);
    const children = element.children.filter((child) => child.type === 'element') as XmlElement[];
    const targets = referencesOf(element).flatMap((id) => byId.get(id) ?? []);
    let weight = 1;
    for (const next of [...children, ...targets]) weight = Math.min(weight + weigh(next, depth + 1), mostDrawn + 1);
    open.delete(element);
    weights.set(element, weight);
    return weight;
  };
  const [root] = elements;
  let drawn = root === undefined ? 0 : weigh(root, 0);
  // A rule of a style may apply to any element, also within what another rule draws. Each can multiply the rest once.
  for (const id of new Set(elements.filter(isStyle).flatMap(({ text }) => listPaints(text)))) {
    const target = byId.get(id);
    if (target !== undefined && !/Gradient$/.test(target.name)) drawn *= weigh(target, 0) + 1;
  }
  if (isCircle) return 'references that lead back to themselves';
  return drawn > mostDrawn ? `references that draw more than ${mostDrawn} elements` : undefined;
}

function referencesOf({ attributes }: XmlElement): string[] {
  const hrefs = [attributes.href, attributes['xlink:href']].flatMap((href) => href?.replace(/^#/, '') ?? []);
  return [...hrefs, ...Object.values(attributes).flatMap(listPaints)];
}

function listPaints(text: string): string[] {
  return [...text.matchAll(/url\(\s*["']?#([^"')\s]+)/gi)].map(([, id = '']) => id);
}

function isStyle({ name }: XmlElement): boolean {
  return name.replace(/^svg:/, '') === 'style';
}
