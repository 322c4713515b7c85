// Composition: creates a span for every call to the store and to the file storage if a tracer was loaded.

import type { BlobStore } from '../../files/storage/blob-store.ts';
import type { OpenedStore } from '../../store/open-store.ts';
import type { Tracer } from './global-tracer.ts';

/** OpenTelemetry values: SpanKind.CLIENT and SpanStatusCode.ERROR. */
const outgoing = { kind: 2 };
const failed = { code: 2 };

export function traceStore<S extends Pick<OpenedStore, 'call'>>(store: S, tracer: Tracer | undefined): S {
  if (tracer === undefined) return store;
  return { ...store, call: (name, input) => inSpan(tracer, `store ${name}`, () => store.call(name, input)) };
}

export function traceBlobs(blobs: BlobStore, tracer: Tracer | undefined): BlobStore {
  if (tracer === undefined) return blobs;
  const { pump } = blobs;
  const traced = <T>(act: string, work: () => Promise<T>) => inSpan(tracer, `storage ${act}`, work);
  return {
    ...blobs,
    keep: (spool, id, sha256, signal) => traced('keep', () => blobs.keep(spool, id, sha256, signal)),
    read: (id, range, size) => traced('read', () => blobs.read(id, range, size)),
    openLocally: (id, size) => traced('read', () => blobs.openLocally(id, size)),
    remove: (id) => traced('remove', () => blobs.remove(id)),
    readVariant: (id, name) => traced('read', () => blobs.readVariant(id, name)),
    keepVariant: (id, name, bytes) => traced('keep', () => blobs.keepVariant(id, name, bytes)),
    ...(pump !== undefined && { pump: (id, range, size) => traced('read', () => pump(id, range, size)) }),
  };
}

/** A span name contains the operation, never its input. */
async function inSpan<T>(tracer: Tracer, name: string, work: () => Promise<T>): Promise<T> {
  const span = tracer.startSpan(name, outgoing);
  try {
    return await work();
  } catch (error) {
    span.setStatus(failed);
    throw error;
  } finally {
    span.end();
  }
}
