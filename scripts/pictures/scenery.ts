// Draws the picture that users upload in the documents: a lake with hills, in few colours.
import sharp from 'sharp';

export function scenery(width: number, height: number): Promise<Buffer> {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 640" preserveAspectRatio="xMidYMid slice" width="${width}" height="${height}">
    <rect width="960" height="640" fill="#fde2c0"/>
    <circle cx="680" cy="235" r="62" fill="#f9a35c"/>
    <path d="M0 330 190 170 330 300 470 205 640 330Z" fill="#a99bc9"/>
    <path d="M380 350 610 215 760 310 860 250 960 320V360H380Z" fill="#7f74ad"/>
    <path d="M0 300Q180 250 350 330T700 340 960 320V400H0Z" fill="#4d4f86"/>
    <rect y="380" width="960" height="260" fill="#5f7fb4"/>
    <path d="M560 400h240M600 425h160M630 450h100M650 475h60" stroke="#f9c08a" stroke-width="8" stroke-linecap="round"/>
    <path d="M0 560Q240 490 480 560T960 540V640H0Z" fill="#23344f"/>
  </svg>`;
  return sharp(Buffer.from(drawing)).png().toBuffer();
}
