// The fields of a schema as a list: name, type, limits and meaning. A named schema is a link to its description.
import { html, type Markup } from '../../../src/kernel/text/html.ts';
import { boundsOf, referredName, type ShownSchema, typeName } from './describe-schema.ts';

export type Field = {
  readonly name: string;
  readonly place?: string;
  readonly isRequired: boolean;
  readonly schema: ShownSchema;
};

export function fieldRows(fields: readonly Field[]): Markup {
  return html`<dl class="fields">${fields.map(fieldRow)}</dl>`;
}

function fieldRow({ name, place, isRequired, schema }: Field): Markup {
  const notes = [...(place === undefined ? [] : [`in ${place}`]), ...boundsOf(schema)];
  return html`<div>
<dt><code>${name}</code> <span class="type">${typeLink(schema)}</span> ${isRequired ? html`<span class="required">required</span>` : html`<span class="optional">optional</span>`}</dt>
<dd>${schema.description === undefined ? undefined : html`<p>${schema.description}</p>`}
${notes.length === 0 ? undefined : html`<p class="hint">${notes.join(' · ')}</p>`}</dd>
</div>`;
}

function typeLink(schema: ShownSchema): Markup {
  const target = referredName(schema) ?? schema.title ?? named(schema.items) ?? schema.anyOf?.map(named).find(Boolean);
  const name = typeName(schema);
  return target === undefined ? html`${name}` : html`<a href="/docs/api/schemas#${target}">${name}</a>`;
}

function named(schema: ShownSchema | undefined): string | undefined {
  return schema === undefined ? undefined : (referredName(schema) ?? schema.title);
}
