// The colours of the pages in one scheme, whichever the browser prefers: read from the style sheets that are loaded.
import { preview, type Scheme } from './brand-facts.ts';

/** Set on an element, they make everything in it light or dark. The accent of the file comes last. */
export function variablesOf(scheme: Scheme): Readonly<Record<string, string>> {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const light = rules.filter(isRoot).flatMap(listVariables);
  const dark = rules.filter(isDark).flatMap((rule) => [...rule.cssRules].filter(isRoot).flatMap(listVariables));
  return {
    ...Object.fromEntries(light),
    ...(scheme === 'dark' && Object.fromEntries(dark)),
    ...preview.variables[scheme],
    colorScheme: scheme,
  };
}

function isRoot(rule: CSSRule): rule is CSSStyleRule {
  return rule instanceof CSSStyleRule && rule.selectorText === ':root';
}

function isDark(rule: CSSRule): rule is CSSMediaRule {
  return rule instanceof CSSMediaRule && rule.conditionText.includes('dark');
}

function listVariables({ style }: CSSStyleRule): (readonly [string, string])[] {
  return [...style].filter((name) => name.startsWith('--')).map((name) => [name, style.getPropertyValue(name)]);
}
