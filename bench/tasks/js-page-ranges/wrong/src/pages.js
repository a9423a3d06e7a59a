export const HELP = "Pages: 1-3,5 or 8- (to the end) or -2 (from the first page)";

/**
 * Parses the text of the page field and returns the page numbers to print, each once and in ascending order.
 * An empty text means all pages. Throws a RangeError if a page does not exist.
 */
export function parsePages(text, pageCount) {
  if (text.trim() === "") {
    return Array.from({ length: pageCount }, (_, index) => index + 1);
  }
  const pages = new Set();
  for (const part of text.split(",")) {
    const [from, to = from] = part.trim().split("-");
    const first = from === "" ? 1 : Number(from);
    const last = to === "" ? pageCount : Number(to);
    checkPage(last, pageCount);
    for (let page = first; page <= last; page++) {
      pages.add(page);
    }
  }
  return [...pages].sort();
}

function checkPage(page, pageCount) {
  if (page > pageCount) {
    throw new RangeError(`page ${page} does not exist, the last page is ${pageCount}`);
  }
}
