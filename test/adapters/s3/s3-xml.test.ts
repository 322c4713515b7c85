// XML of S3: names without their prefix, and texts that are there exactly once.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { childrenOf, nameOfElement, readXml, textOf } from '../../../src/adapters/s3/s3-xml.ts';

const root = (inside: string) => readXml(`<r>${inside}</r>`) ?? assert.fail(inside);

describe('XML of S3', () => {
  it('the name of an element has no prefix', () => {
    assert.equal(nameOfElement(readXml('<a:Error xmlns:a="x"/>') ?? assert.fail()), 'Error');
    assert.equal(nameOfElement(readXml('<Error/>') ?? assert.fail()), 'Error');
  });

  it('children are found by name at the first level only', () => {
    assert.equal(childrenOf(root('<a/><b><a/></b>text<x:a xmlns:x="y"/>'), 'a').length, 2);
  });

  for (const [what, inside, expected] of [
    ['one element', '<a>1</a>', '1'],
    ['an empty element', '<a/>', ''],
    ['none', '<b>1</b>', undefined],
    ['two elements', '<a>1</a><a>1</a>', undefined],
    ['an element with elements', '<a>1<b/></a>', undefined],
  ] as const) {
    it(`the text of ${what} is ${JSON.stringify(expected)}`, () => assert.equal(textOf(root(inside), 'a'), expected));
  }

  for (const text of ['', '<a>', '<a></b>', 'text', '<a/><b/>', '<a>&x;</a>']) {
    it(`${JSON.stringify(text)} is not well-formed`, () => assert.equal(readXml(text), undefined));
  }
});
