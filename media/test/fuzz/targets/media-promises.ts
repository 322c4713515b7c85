// What must hold for every file that a prover accepts, checked by other means than the prover's own.
import assert from 'node:assert/strict';
import { type MediaType, mediaTypes } from '../../../src/media-type.ts';
import type { Proof } from '../../../src/proof.ts';

type Proved = Extract<Proof, { kind: 'proved' }>;

const archives = new Set<MediaType>([
  'application/zip',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.text',
]);

/** May contain whole files of other formats. */
const containers = new Set<MediaType>([...archives, 'text/plain']);

export function checkProved(bytes: Buffer, { type, width, height, charset }: Proved): void {
  assert.ok(Object.hasOwn(mediaTypes, type), `unknown type ${type}`);
  if (mediaTypes[type].family === 'image')
    assert.ok(width !== undefined && height !== undefined, 'a picture without a size');
  for (const side of [width, height])
    assert.ok(side === undefined || (Number.isSafeInteger(side) && side >= 0), 'a strange size');
  if (mediaTypes[type].family === 'image') assert.ok((width ?? 0) > 0 && (height ?? 0) > 0, 'a picture without pixels');
  if (!containers.has(type)) {
    assert.ok(!isArchive(bytes), `${type} and an archive`);
    assert.ok(type === 'application/pdf' || !isPdf(bytes), `${type} and a PDF`);
  }
  if (type === 'text/plain') checkText(bytes, charset ?? '');
  if (archives.has(type)) checkArchive(bytes);
}

/** As a strict unpacker reads it: an end record whose comment reaches the end, and a directory right before it. */
function isArchive(bytes: Buffer): boolean {
  for (let at = bytes.indexOf('PK\x05\x06'); at >= 0; at = bytes.indexOf('PK\x05\x06', at + 1)) {
    const isEnd = at + 22 <= bytes.length && at + 22 + bytes.readUInt16LE(at + 20) === bytes.length;
    const directory = isEnd ? at - bytes.readUInt32LE(at + 12) : -1;
    if (directory >= 0 && bytes.toString('latin1', directory, directory + 4) === 'PK\x01\x02') return true;
  }
  return false;
}

function isPdf(bytes: Buffer): boolean {
  const text = bytes.toString('latin1');
  const hasHeader = text.slice(0, 1024).includes('%PDF-') || /%PDF-[0-9]/.test(text);
  return hasHeader && (text.includes('%%EOF') || /[0-9][\0\t\n\f\r ]{1,16}obj/.test(text));
}

function checkText(bytes: Buffer, charset: string): void {
  assert.ok(['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'].includes(charset), `a strange charset ${charset}`);
  const decoded = new TextDecoder(charset, { fatal: true }).decode(bytes);
  const text = decoded.toLowerCase().replace(/\x1a$/, '');
  assert.ok(![...text].some((letter) => letter < ' ' && !'\t\n\f\r'.includes(letter)), 'text with control characters');
  const tag = /<(script|html|svg|iframe|frameset|embed|applet)([\t\n\f\r />]|$)/.exec(text)?.[0];
  assert.equal(tag, undefined, 'text with active markup');
  assert.ok(!text.includes('<?php') && !text.includes('<!doctype html'), 'text with a page or a program');
}

/** Reads only the directory, from its end record. Every byte of the file before it belongs to an entry. */
function checkArchive(bytes: Buffer): void {
  const end = bytes.lastIndexOf('PK\x05\x06');
  const names: string[] = [];
  let packed = 0;
  let at = bytes.indexOf('PK\x01\x02');
  // A stored entry may contain an archive: the directory is the last run of headers that reaches the end record.
  while (at >= 0 && !reachesEnd(bytes, at, end)) at = bytes.indexOf('PK\x01\x02', at + 1);
  for (let next = at; next >= 0 && bytes.toString('latin1', next, next + 4) === 'PK\x01\x02'; ) {
    names.push(bytes.toString('latin1', next + 46, next + 46 + bytes.readUInt16LE(next + 28)));
    packed += bytes.readUInt32LE(next + 20);
    next = afterHeader(bytes, next);
  }
  assert.equal(new Set(names).size, names.length, 'two entries with one name');
  for (const name of names) {
    assert.ok(!/^[\\/]/.test(name) && !name.includes('\0'), 'a dangerous name');
    assert.ok(!name.split(/[\\/]/).includes('..'), 'a name that leaves the folder');
  }
  if (!bytes.includes('PK\x06\x06')) assert.ok(packed <= bytes.length, 'more packed bytes than the file has');
}

function afterHeader(bytes: Buffer, at: number): number {
  return at + 46 + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
}

function reachesEnd(bytes: Buffer, start: number, end: number): boolean {
  let at = start;
  while (at + 46 <= end && bytes.toString('latin1', at, at + 4) === 'PK\x01\x02') at = afterHeader(bytes, at);
  return at === end || bytes.toString('latin1', at, at + 4) === 'PK\x06\x06';
}
