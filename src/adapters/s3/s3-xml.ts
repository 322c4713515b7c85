// Reads the XML of S3 answers as a tree; the prefix of a name says nothing, and what is not well-formed is not read at all.
import { parseXml, type XmlElement } from '@rgrove/parse-xml';

/** The root, undefined where the text is not well-formed. Entities of a document type are never expanded: they make it unreadable. */
export function readXml(text: string): XmlElement | undefined {
  try {
    // White space and a byte order mark around the document are no reason to refuse it.
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

/** The text of the only child of that name, undefined where there is another number of them or more than text inside. */
export function textOf(parent: XmlElement, name: string): string | undefined {
  const [child, ...others] = childrenOf(parent, name);
  if (child === undefined || others.length > 0 || child.children.some(isElement)) return undefined;
  return child.text;
}

function isElement(node: XmlElement['children'][number]): node is XmlElement {
  return node.type === 'element';
}
