// What the search of the documentation finds: endpoints, error codes, schemas and the sections of all pages.

import { failureReplies } from '../../src/http/interface/failure-replies.ts';
import type { FailureCode } from '../../src/kernel/failure.ts';
import { areaNames, areaUrl } from './page/site-nav.ts';
import type { Interface } from './reference/endpoints.ts';
import type { SearchEntry } from './site-content.ts';

export function createSearchIndex(
  { endpoints, schemas }: Interface,
  codes: readonly FailureCode[],
  sections: readonly SearchEntry[],
): SearchEntry[] {
  return [
    ...endpoints.map(({ id, tag, method, path, summary, description = '' }) => ({
      url: `${areaUrl(tag)}#${id}`,
      title: summary,
      place: `${method} ${path}`,
      text: `${id} ${areaNames[tag]} ${description}`,
    })),
    ...codes.map((code) => ({
      url: `/docs/errors#${code}`,
      title: code,
      place: `Error ${failureReplies[code].status}`,
      text: `${code.replaceAll('_', ' ')} ${failureReplies[code].when} ${failureReplies[code].cure}`,
    })),
    ...Object.keys(schemas).map((name) => ({
      url: `/docs/api/schemas#${name}`,
      title: name,
      place: 'Schema',
      text: '',
    })),
    ...sections,
  ];
}
