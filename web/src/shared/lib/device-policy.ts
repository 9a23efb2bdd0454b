interface FeaturePolicy {
  allowsFeature(name: string): boolean;
}

/** What Chromium's documents know of their policy; other browsers restrict nothing. */
type Governed = Document & { featurePolicy?: FeaturePolicy };

/** Whether this document was loaded as a page without camera and microphone. */
export const isWithoutDevices = (page: Governed = document): boolean => {
  const { featurePolicy } = page;
  return featurePolicy ? !(featurePolicy.allowsFeature('camera') && featurePolicy.allowsFeature('microphone')) : false;
};

const pathOf = (address: string): string => new URL(address, location.href).pathname;

/**
 * Goes on at once where the document may use camera and microphone. Elsewhere the call's page is loaded anew, since a policy
 * belongs to the document and not to the address shown; that page was allowed them by the server (EDGE-12). A document that
 * was loaded for this very page and still has none is behind a proxy that takes them: it says so itself.
 */
export async function withDevices(
  href: string,
  page: Governed = document,
  load: (href: string) => void = (address) => location.assign(address),
  loaded: string | undefined = performance.getEntriesByType('navigation')[0]?.name,
): Promise<void> {
  if (!isWithoutDevices(page) || (loaded && pathOf(loaded) === pathOf(href))) return;
  load(href);
  // The document goes away; nothing of the page is shown until then.
  await new Promise(() => undefined);
}
