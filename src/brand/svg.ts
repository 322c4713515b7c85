// Decides whether an SVG only draws: elements and attributes of an allow list, and references only within the file.
import { parseXml, type XmlElement, type XmlNode } from '@rgrove/parse-xml';
import { escapeControls } from '../kernel/text/plain-text.ts';
import { findHeavyUse } from './svg-weight.ts';

type SvgProblem = { readonly trouble: string; readonly cure: string };

const mostElements = 5000;
const deepest = 100;
/** More would not help the operator. */
const mostProblems = 20;

const svgNamespace = 'http://www.w3.org/2000/svg';

const shapes = 'svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc style';
const paints = 'linearGradient radialGradient stop clipPath mask filter';
const filters =
  'feBlend feColorMatrix feComposite feDropShadow feFlood feGaussianBlur feMerge feMergeNode feMorphology feOffset';
const elements = new Set(`${shapes} ${paints} ${filters}`.split(' '));

const geometry =
  'id class style d x y x1 y1 x2 y2 cx cy r rx ry fx fy fr dx dy width height points pathLength viewBox preserveAspectRatio transform rotate textLength lengthAdjust';
const looks =
  'fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width color opacity display visibility clip-path clip-rule mask mask-type filter paint-order shape-rendering text-rendering image-rendering color-interpolation color-interpolation-filters vector-effect mix-blend-mode isolation enable-background overflow';
const words =
  'font-family font-size font-style font-weight letter-spacing word-spacing text-anchor text-decoration dominant-baseline alignment-baseline baseline-shift writing-mode direction';
const paintParts =
  'gradientUnits gradientTransform spreadMethod offset stop-color stop-opacity clipPathUnits maskUnits maskContentUnits filterUnits primitiveUnits in in2 mode type values stdDeviation edgeMode flood-color flood-opacity result operator radius k1 k2 k3 k4';
const general = 'version baseProfile role focusable lang xml:lang xml:space href xlink:href type media';
const attributes = new Set(`${geometry} ${looks} ${words} ${paintParts} ${general}`.split(' '));

/** The only namespaces that a logo needs. */
const namespaces: Readonly<Record<string, string>> = {
  xmlns: svgNamespace,
  'xmlns:svg': svgNamespace,
  'xmlns:xlink': 'http://www.w3.org/1999/xlink',
};

/** All problems, or none if the text is an SVG that only draws. The cost is linear in the length of the text. */
export function findSvgProblems(text: string): readonly SvgProblem[] {
  if (text.includes('\uFFFD')) return [{ trouble: 'names a file that is neither PNG nor UTF-8', cure: fileCure }];
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    return [{ trouble: 'names an SVG with a DOCTYPE or entities', cure: 'remove the part from <!DOCTYPE to its >' }];
  // A browser would read other characters than this check does.
  if (!/^(?:utf-?8)?$/i.test(encodingOf(text)))
    return [{ trouble: 'names an SVG that says it is not UTF-8', cure: fileCure }];
  let root: XmlElement | null;
  let children: readonly XmlNode[];
  try {
    ({ root, children } = parseXml(text, { preserveComments: false }));
  } catch (error) {
    return [{ trouble: `names a file that is neither PNG nor SVG${placeOf(error)}`, cure: fileCure }];
  }
  if (root === null || root.name !== 'svg' || root.attributes.xmlns !== svgNamespace)
    return [{ trouble: `names a file that does not begin with <svg xmlns="${svgNamespace}">`, cure: fileCure }];
  const problems = new Map<string, string>();
  if (children.some(({ type }) => type === 'pi')) problems.set('a processing instruction (<?…?>)', 'remove it');
  const all = listElements(root, problems);
  if (all === undefined) return [tooLarge];
  for (const element of all) examine(element, (what, cure) => problems.set(what, cure));
  if (!hasSize(root)) problems.set('no size', 'add viewBox="0 0 width height" to <svg>');
  const heavy = findHeavyUse(all);
  if (heavy !== undefined) problems.set(heavy, 'draw the shape once, without <use> of <use>');
  return [...problems].slice(0, mostProblems).map(([what, cure]) => ({ trouble: `names an SVG with ${what}`, cure }));
}

const fileCure = 'export the logo as plain SVG (UTF-8) or as PNG';
const tooLarge: SvgProblem = {
  trouble: `names an SVG with more than ${mostElements} elements, or more than ${deepest} levels`,
  cure: 'export it simplified',
};

/** As the XML declaration has it. Empty if it has none. */
function encodingOf(text: string): string {
  const [declaration = ''] = /^\uFEFF?<\?xml\s[^>]*/.exec(text) ?? [];
  return /\sencoding\s*=\s*["']([^"']*)/.exec(declaration)?.[1] ?? '';
}

function placeOf(error: unknown): string {
  const [, line] = (error instanceof Error && /\(line (\d+), column/.exec(error.message)) || [];
  return line === undefined ? '' : ` (line ${line})`;
}

/** Without recursion, because a hostile file is deep. Undefined if it is too deep or too large to be looked at further. */
function listElements(root: XmlElement, problems: Map<string, string>): readonly XmlElement[] | undefined {
  const all: XmlElement[] = [];
  const waiting: { element: XmlElement; depth: number }[] = [{ element: root, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    all.push(next.element);
    if (all.length > mostElements || next.depth > deepest) return undefined;
    for (const child of next.element.children) {
      if (child.type === 'element') waiting.push({ element: child as XmlElement, depth: next.depth + 1 });
      else if (child.type === 'pi') problems.set('a processing instruction (<?…?>)', 'remove it');
    }
  }
  return all;
}

type Report = (what: string, cure: string) => void;

function examine(element: XmlElement, report: Report): void {
  const name = element.name.replace(/^svg:/, '');
  if (!elements.has(name)) report(`the element <${show(element.name)}>`, cureOf(name));
  if (name === 'style') examineStyleElement(element, report);
  for (const [attribute, value] of Object.entries(element.attributes)) examineAttribute(attribute, value, report);
}

/** A browser joins the texts on both sides of an element within a style, so that they could hide a word from the check. */
function examineStyleElement(element: XmlElement, report: Report): void {
  if (element.children.some(({ type }) => type === 'element'))
    report('an element in <style>', 'write nothing but rules there');
  else examineStyle(element.text, '<style>', report);
}

function cureOf(name: string): string {
  if (name === 'script') return 'remove it: a logo runs nothing';
  if (name === 'image' || name === 'feImage') return 'draw with paths, or export the whole logo as PNG';
  if (name.includes(':') || name === 'metadata') return 'remove it, or export as “plain SVG” or “optimised SVG”';
  return 'remove it, or export the logo as PNG';
}

function examineAttribute(name: string, value: string, report: Report): void {
  if (Object.hasOwn(namespaces, name)) {
    if (value !== namespaces[name]) report(`another namespace in ${name}`, `write ${namespaces[name]}`);
  } else if (/^on/i.test(name)) {
    report(`the event attribute ${show(name)}`, 'remove it: a logo runs nothing');
  } else if (!attributes.has(name) && !/^(?:aria|data)-[a-z-]+$/.test(name)) {
    report(`the attribute ${show(name)}`, 'remove it, or export as “plain SVG” or “optimised SVG”');
  } else if (name === 'href' || name === 'xlink:href') {
    if (!/^#[^\s#]+$/.test(value)) report(`a reference to ${quote(value)}`, 'refer to parts of the same file: "#id"');
  } else {
    examineStyle(value, name, report);
  }
}

/** A style may paint with parts of this file, and loads nothing. Escapes could hide what it does. */
function examineStyle(text: string, where: string, report: Report): void {
  if (/[\\@]/.test(text)) report(`“\\” or “@” in ${where}`, 'remove rules such as @import and @font-face, and escapes');
  for (const [, inside = ''] of text.matchAll(/url\(([^)]*)/gi))
    if (!/^\s*["']?#[^"'\s]+["']?\s*$/.test(inside))
      report(`a reference to ${quote(inside)} in ${where}`, 'refer to parts of the same file: url(#id)');
  if (/(?:javascript|data|https?|file):|(?:image|image-set|src|expression)\(/i.test(text))
    report(`an address or a function that loads in ${where}`, 'remove it');
}

/** Without a size, a browser would draw it 300 pixels wide, whatever it is. */
function hasSize({ attributes: { viewBox = '', width = '', height = '' } }: XmlElement): boolean {
  const numbers = viewBox
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const isBox =
    numbers.length === 4 && numbers.every(Number.isFinite) && (numbers[2] ?? 0) > 0 && (numbers[3] ?? 0) > 0;
  return isBox || [width, height].every((side) => /^[0-9.]+(?:px)?$/.test(side) && Number.parseFloat(side) > 0);
}

function show(name: string): string {
  return escapeControls(name.slice(0, 40));
}

function quote(text: string): string {
  return `“${escapeControls(text.length > 60 ? `${text.slice(0, 60)}…` : text)}”`;
}
