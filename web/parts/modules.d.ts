// What the bundler understands beyond TypeScript: style sheets, and the list of countries that it makes.
declare module '*.css';

declare module 'gatehouse:countries' {
  /** `DE49 0;IT39;…`: country, calling code and, after a space, the trunk prefix that falls away abroad. */
  export const countries: string;
}
