// Finds an OpenTelemetry SDK that was loaded when the process started. Gatehouse does not depend on OpenTelemetry.

type Span = {
  setStatus(status: { readonly code: number }): void;
  end(): void;
};

export type Tracer = { startSpan(name: string, options: { readonly kind: number }): Span };

/** Every copy of @opentelemetry/api version 1 finds the registered SDK under this symbol. */
const api = Symbol.for('opentelemetry.js.api.1');

type Registered = { readonly trace?: { getTracer(name: string): Tracer } };

export function findTracer(): Tracer | undefined {
  const registered = (globalThis as { [api]?: Registered })[api];
  return registered?.trace?.getTracer('gatehouse');
}
