import { parsePages } from "./pages.js";

/** Describes a print job: the pages and the number of sheets of paper. */
export function createJob(document, { pages = "", duplex = false } = {}) {
  const numbers = parsePages(pages, document.pageCount);
  const sheets = duplex ? Math.ceil(numbers.length / 2) : numbers.length;
  return { title: document.title, pages: numbers, sheets };
}
