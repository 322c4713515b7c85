// Which connections are in the middle of an upload: what the parser reports there as a broken request is a file cut short.
import type { Duplex } from 'node:stream';

const underWay = new WeakSet<Duplex>();

export function beginUpload(socket: Duplex): void {
  underWay.add(socket);
}

export function isUploading(socket: Duplex): boolean {
  return underWay.has(socket);
}
