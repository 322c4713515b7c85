// GET /docs/api/schemas: every schema that has a name, with its fields.

import type { Schema } from '../../../src/http/interface/schema.ts';
import { html, type Markup } from '../../../src/kernel/text/html.ts';
import type { ShownSchema } from './describe-schema.ts';
import { fieldRows } from './field-list.ts';

export function schemasMain(schemas: Readonly<Record<string, Schema>>): Markup {
  return html`<section class="introduction" aria-labelledby="title">
<h1 id="title">Schemas</h1>
<p class="lead">Records that several endpoints answer with. Names and fields are those of <a href="/openapi.json">openapi.json</a>.</p>
</section>
${Object.entries(schemas).map(schemaArticle)}`;
}

function schemaArticle([name, schema]: [string, Schema]): Markup {
  const { properties = {}, required = [], description } = schema as ShownSchema;
  const fields = Object.entries(properties).map(([field, part]) => ({
    name: field,
    isRequired: required.includes(field),
    schema: part,
  }));
  return html`<article class="schema" id="${name}" aria-labelledby="${name}-title">
<h2 id="${name}-title"><a class="anchor" href="#${name}"><code>${name}</code></a></h2>
${description === undefined ? undefined : html`<p>${description}</p>`}
${fieldRows(fields)}
</article>`;
}
