// A metric in the tables of metrics.

/** A closed list of values, or their source: the route table, HTTP, the purposes, the providers. Never the input of a client. */
type Words = readonly string[] | 'routes' | 'methods' | 'statuses' | 'purposes' | 'providers';

export type Metric = { readonly help: string; readonly labels: Readonly<Record<string, Words>> };
