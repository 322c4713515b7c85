// The start of the app: one provider around it.
import { GatehouseProvider } from '@gatehouse/react';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

const root = document.querySelector('#root');
if (root === null) throw new Error('The page has no #root.');

// Gatehouse is on the same site (here: another port), so its cookies hold the tokens, and no script can read them.
createRoot(root).render(
  <StrictMode>
    <GatehouseProvider url={import.meta.env.VITE_GATEHOUSE_URL} mode="cookie">
      <App />
    </GatehouseProvider>
  </StrictMode>,
);
