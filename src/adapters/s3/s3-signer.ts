// Signs requests and URLs for S3 (AWS Signature Version 4), in exactly the encoding that is sent.
import { AwsV4Signer } from 'aws4fetch';
import type { S3Place } from './s3-place.ts';

type SignedHead = { readonly path: string; readonly headers: Record<string, string> };

export type S3Signer = {
  /** An empty key means the bucket. Uses the system time, because the server compares it with its own. */
  signHead(input: {
    method: string;
    key: string;
    query: Record<string, string>;
    payloadSha256: string;
  }): Promise<SignedHead>;
  /** A URL that any client may GET until `seconds` after `signedAt`. */
  signUrl(input: { key: string; query: Record<string, string>; seconds: number; signedAt: number }): Promise<string>;
};

export function createS3Signer(place: S3Place): S3Signer {
  const { accessKeyId, secretAccessKey, region } = place;
  const base = { accessKeyId, secretAccessKey, region, service: 's3', cache: new Map<string, ArrayBuffer>() };
  const urlOf = (key: string, query: Record<string, string>) => {
    const path = key === '' ? place.bucket : `${place.bucket}/${key}`;
    return `${place.origin}/${path}?${new URLSearchParams(query)}`;
  };
  return {
    signHead: async ({ method, key, query, payloadSha256 }) => {
      const headers = { 'x-amz-content-sha256': payloadSha256 };
      const signer = new AwsV4Signer({ ...base, method, url: urlOf(key, query), headers });
      const signed = await signer.sign();
      return { path: targetOf(signer), headers: { host: signer.url.host, ...Object.fromEntries(signed.headers) } };
    },
    signUrl: async ({ key, query, seconds, signedAt }) => {
      const datetime = new Date(signedAt).toISOString().replace(/[:-]|\.\d{3}/g, '');
      const url = urlOf(key, { ...query, 'X-Amz-Expires': String(seconds) });
      const signer = new AwsV4Signer({ ...base, method: 'GET', url, datetime, signQuery: true });
      return `${place.origin}${targetOf(signer)}&X-Amz-Signature=${await signer.signature()}`;
    },
  };
}

/** The canonical encoding. The signed bytes are the sent bytes, so no server can read them differently. */
function targetOf(signer: AwsV4Signer): string {
  return signer.encodedSearch === '' ? signer.encodedPath : `${signer.encodedPath}?${signer.encodedSearch}`;
}
