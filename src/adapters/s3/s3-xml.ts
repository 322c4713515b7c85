// Parses the XML of S3 responses. It ignores namespace prefixes and refuses malformed text.
import { parseXml, type XmlElement } from '@rgrove/parse-xml';

/** The root element. Undefined if the text is not well-formed, or if it uses entities of a document type, which are never expanded. */
export function readXml(text: string): XmlElement | undefined {
  try {
    // Accepts white space and a byte order mark around the document.
    return parseXml(text.trim()).root ?? undefined;
  } catch {
    return undefined;
  }
}

export function nameOfElement({ name }: XmlElement): string {
  return name.slice(name.indexOf(':') + 1);
}

export function childrenOf(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.filter(isElement).filter((child) => nameOfElement(child) === name);
}

/** The text of the only child with this name. Undefined if there is not exactly one, or if it contains elements. */
export function textOf(parent: XmlElement, name: string): string | undefined {
  const [child, ...others] = childrenOf(parent, name);
  if (child === undefined || others.length > 0 || child.children.some(isElement)) return undefined;
  return child.text;
}

function isElement(node: XmlElement['children'][number]): node is XmlElement {
  return node.type === 'element';
}
