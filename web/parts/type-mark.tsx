// The type of a file as a short word, in place of a preview.
import './type-mark.css';

/** Common names of these types. All others are shown as the last part of their name: `application/pdf` as PDF. */
const typeMarks: Readonly<Record<string, string>> = {
  'text/plain': 'TXT',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'DOCX',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'XLSX',
  'application/vnd.oasis.opendocument.text': 'ODT',
  'audio/mpeg': 'MP3',
  'audio/mp4': 'M4A',
};

export function nameType(type: string): string {
  const [essence = type] = type.split(';');
  return typeMarks[essence] ?? essence.split('/').at(-1)?.toUpperCase() ?? '';
}

export function TypeMark({ type }: { readonly type: string }) {
  return (
    <span class="type-mark" aria-hidden="true">
      {nameType(type)}
    </span>
  );
}
