// Parses the storage URL: endpoint, bucket, prefix, region and credentials.
import type { ProviderUrl } from '../../kernel/net/provider-url.ts';

export type S3Place = {
  /** Scheme, host and port of the server. */
  readonly origin: string;
  readonly bucket: string;
  /** Put before every id, unchanged. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
};

/** `setting` is named in errors. */
export function readS3Place(url: ProviderUrl, setting = 'STORAGE_URL'): S3Place {
  const unreadable = (reason: string) =>
    new Error(`${setting} cannot be used: ${reason}. Write s3://KEY:SECRET@host:port/bucket?region=…`);
  const bucket = /^\/([A-Za-z0-9][A-Za-z0-9._-]{1,62})\/?$/.exec(url.path)?.[1];
  const origin = `${url.query.tls === '0' ? 'http' : 'https'}://${url.host}`;
  if (url.host === '' || !URL.canParse(origin)) throw unreadable('the host is missing');
  if (bucket === undefined) throw unreadable('the path must be the bucket; write a folder in it as ?prefix=');
  if (url.id === '' || url.secret === '') throw unreadable('the key and its secret are missing');
  const { prefix = '' } = url.query;
  if (!isPlain(prefix))
    throw unreadable('the prefix may contain letters, digits and . _ - = separated by single slashes');
  return {
    origin,
    bucket,
    prefix,
    region: url.query.region || 'us-east-1',
    accessKeyId: url.id,
    secretAccessKey: url.secret,
  };
}

/** Only characters that every server, signer and URL parser encodes the same way, and no segments that a URL parser removes. */
function isPlain(prefix: string): boolean {
  return /^[\w.=/-]{0,512}$/.test(prefix) && !/(?:^|\/)\.{0,2}\//.test(prefix);
}
