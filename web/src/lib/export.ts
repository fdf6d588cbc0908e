// What is taken along: the record as text, a picture as SVG, or as PNG, which is drawn here from the SVG.

/** The longer side of a PNG, in pixels. */
const PNG_SIZE = 1600;

/** Gives somebody a file. */
export function download(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000); // Not before the browser has begun to read it.
}

/** The size of a picture, from its frame; a square if it says none. */
export function sizeOf(svg: string): { width: number; height: number } {
  const box = /viewBox="([^"]+)"/.exec(svg)?.[1]?.trim().split(/[\s,]+/).map(Number);
  const [, , width, height] = box ?? [];
  return width && height ? { width, height } : { width: 1, height: 1 };
}

/** A picture in pixels, on a ground of a colour. */
export async function pngOf(svg: string, ground: string): Promise<Blob> {
  const { width, height } = sizeOf(svg);
  const scale = PNG_SIZE / Math.max(width, height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const brush = canvas.getContext('2d');
  if (!brush) throw new Error('this browser draws nothing');
  brush.fillStyle = ground;
  brush.fillRect(0, 0, canvas.width, canvas.height);
  brush.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the picture is too large'))), 'image/png'));
}
