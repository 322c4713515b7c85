// Finds OpenTelemetry where whoever started this process has loaded it; nothing of it is a dependency of ours.

export type Span = {
  setStatus(status: { readonly code: number }): void;
  end(): void;
};

export type Tracer = { startSpan(name: string, options: { readonly kind: number }): Span };

/** Under this name every copy of @opentelemetry/api of version 1 finds what an SDK has registered. */
const api = Symbol.for('opentelemetry.js.api.1');

type Registered = { readonly trace?: { getTracer(name: string): Tracer } };

export function findTracer(): Tracer | undefined {
  const registered = (globalThis as { [api]?: Registered })[api];
  return registered?.trace?.getTracer('gatehouse');
}
