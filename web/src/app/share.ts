// Sharing an address: by the device's own means on phones, else by the clipboard.

/** Shares an address; true if it was copied. Throws if neither is allowed. */
export async function shareLink(url: string): Promise<boolean> {
  if ('share' in navigator && matchMedia('(pointer: coarse)').matches) {
    await navigator.share({ url }).catch(() => {}); // Cancelled.
    return false;
  }
  await navigator.clipboard.writeText(url);
  return true;
}
