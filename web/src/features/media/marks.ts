/** A copy of a picture that has its marks, and says so (DRAW-9). The original is not touched. */

const QUALITY = 0.92;
/** Height of the line below the picture, by its longer side. */
const BAND = 0.034;

/** `foto-001.png` → `foto-001-con-marcas.jpg`. */
export function copyName(name: string, suffix: string): string {
  const dot = name.lastIndexOf('.');
  return `${dot > 0 ? name.slice(0, dot) : name}-${suffix}.jpg`;
}

async function loaded(src: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = src;
  await image.decode();
  return image;
}

/** Draws picture and layers upon each other, and the caption on a line of its own below. */
export async function withMarks(picture: string, layers: readonly string[], caption: string): Promise<Blob> {
  const [below, ...above] = await Promise.all([loaded(picture), ...layers.map(loaded)]);
  const { naturalWidth: width, naturalHeight: height } = below;
  const band = Math.max(24, Math.round(Math.max(width, height) * BAND));
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height: height + band });
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('NO_CANVAS');
  pen.drawImage(below, 0, 0, width, height);
  for (const layer of above) pen.drawImage(layer, 0, 0, width, height);
  pen.fillStyle = '#0b0b0b';
  pen.fillRect(0, height, width, band);
  pen.fillStyle = '#ffffff';
  pen.textBaseline = 'middle';
  pen.font = `500 ${Math.round(band * 0.5)}px Inter, Arial, sans-serif`;
  pen.fillText(caption, band / 3, height + band / 2, width - (band * 2) / 3);
  return await new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('NO_PICTURE'))), 'image/jpeg', QUALITY),
  );
}
