// Marks connections with an upload in progress: a parser error on them means that the file is incomplete.
import type { Duplex } from 'node:stream';

const underWay = new WeakSet<Duplex>();

export function beginUpload(socket: Duplex): void {
  underWay.add(socket);
}

export function isUploading(socket: Duplex): boolean {
  return underWay.has(socket);
}
