// Builds the web pages ahead of the first start, for a place that can neither bundle nor write, such as an image.
import { loadPages } from '../src/adapters/pages/load-pages.ts';

await loadPages();
