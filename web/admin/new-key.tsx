// A service key that was just created, with a button that copies it. It cannot be shown again.
import { useState } from 'preact/hooks';
import { Button, Notice } from '../parts/form-parts.tsx';
import { texts } from './admin-texts.ts';
import { Card } from './list-parts.tsx';

export function NewKey({ text }: { readonly text: string }) {
  const [copied, setCopied] = useState('');
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(text);
  };
  return (
    <Card id="new-key" title={texts.newKeyTitle}>
      <Notice kind="good">{texts.keyOnce}</Notice>
      <p>
        <code class="new-key">{text}</code>
      </p>
      {/* Browsers provide the clipboard on secure pages only. */}
      {navigator.clipboard !== undefined && (
        <Button onClick={copy}>{copied === text ? texts.keyCopied : texts.copyKey}</Button>
      )}
    </Card>
  );
}
