// Large enough to read a screenshot's text; a phone's photo has four times as many.
const maxSide = 2_000;
const maxPlainBytes = 1_000_000;

/**
 * The file as it is sent: a photo smaller than a phone takes it, and without what it says about place and camera. What this
 * browser cannot draw is sent as it is.
 */
export async function smallPicture(file: File): Promise<File> {
  const isPhoto = file.type === "image/jpeg" || /^image\/hei[cf]$/.test(file.type);
  const isLarge = /^image\/(png|webp)$/.test(file.type) && file.size > maxPlainBytes;
  if (!isPhoto && !isLarge) return file;
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return file;
  const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  const drawn = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.85));
  return drawn ? new File([drawn], `${file.name.replace(/\.[^.]*$/, "")}.jpg`, { type: "image/jpeg" }) : file;
}
