// Downloads: the record as text, and the position as SVG, or as PNG rendered from it here.

/** The longer side of a PNG, in pixels. */
const PNG_SIZE = 1600;

/** Starts a download. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000); // The browser needs it until the download starts.
}

/** The size of an SVG from its viewBox; a square if it has none. */
export function sizeOf(svg: string): { width: number; height: number } {
  const box = /viewBox="([^"]+)"/
    .exec(svg)?.[1]
    ?.trim()
    .split(/[\s,]+/)
    .map(Number);
  const [, , width, height] = box ?? [];
  return width && height ? { width, height } : { width: 1, height: 1 };
}

/** Renders an SVG as PNG on a backbackground colour. */
export async function svgToPng(svg: string, background: string): Promise<Blob> {
  const { width, height } = sizeOf(svg);
  const scale = PNG_SIZE / Math.max(width, height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const drawing = canvas.getContext('2d');
  if (!drawing) throw new Error('this browser has no canvas');
  drawing.fillStyle = background;
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error('the image is too large'))),
      'image/png',
    ),
  );
}
