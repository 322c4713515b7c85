// Builds the documentation: guides from the documents, the reference from the route table, and what a browser loads with them.
import type { DocsFeature } from '../../src/http/pages/docs-routes.ts';
import { plainLines } from '../../src/http/plain-lines.ts';
import { allLines } from './all-lines.ts';
import { bundleBrowser } from './bundle-browser.ts';
import { renderGuides } from './guides/render-guides.ts';
import { type SiteFile, toSiteFile } from './site-file.ts';
import { renderSite } from './site-pages.ts';

const features: readonly DocsFeature[] = ['inbox', 'scanner'];

export async function buildSite(root: string): Promise<SiteFile[]> {
  const bundled = bundleBrowser(root);
  const guides = renderGuides(root);
  const render = (...has: readonly DocsFeature[]) => renderSite({ table: allLines(has), plainLines, guides });
  const usual = render();
  const special = features.flatMap((feature) =>
    [...render(feature)]
      .filter(([url, text]) => usual.get(url) !== text)
      .map(([url, text]) => toSiteFile(url, text, feature)),
  );
  const [shared] = special.filter(({ url }, index) => special.findIndex((other) => other.url === url) < index);
  if (shared !== undefined)
    throw new Error(`${shared.url} depends on two features: scripts/site builds it for one only.`);
  const pictures = [...guides.pictures].map(([name, content]) => toSiteFile(`/docs/pictures/${name}`, content));
  const { styles, script } = await bundled;
  return [
    ...[...usual].map(([url, text]) => toSiteFile(url, text)),
    ...special,
    ...pictures,
    toSiteFile('/docs/docs.css', styles),
    toSiteFile('/docs/docs.js', script),
  ];
}
