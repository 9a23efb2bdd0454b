import { paragraphs } from '@/shared/lib/markup';
import { legalNodes } from './markup';

const isEmpty = (node: Node) => !node.textContent?.trim();

/** Words with a tag in them. */
const MARKUP = /<[a-z!/]/i;

/**
 * Puts pasted words where the caret is. Plain ones go in by the browser's own commands, which its undo takes back. Markup goes in
 * as elements of its own between the halves of the paragraph: the browser's command for it writes `style` attributes, which the
 * page's policy refuses (EDGE-15).
 */
export function pasteWords(area: HTMLElement, words: string): void {
  if (MARKUP.test(words)) {
    insertBlocks(area, blocksOf(legalNodes(paragraphs(words))));
    return;
  }
  const [first = '', ...others] = words.split(/\n\s*\n/);
  document.execCommand('insertText', false, first);
  for (const paragraph of others) {
    document.execCommand('insertParagraph');
    document.execCommand('insertText', false, paragraph);
  }
}

const INLINE = new Set(['A', 'STRONG', 'EM', 'U', 'S', 'BR', 'SUB', 'SUP']);

/** Words and elements of a line that stand alone become paragraphs. */
export function blocksOf(nodes: Node[]): Node[] {
  const blocks: Node[] = [];
  let line: HTMLParagraphElement | null = null;
  for (const node of nodes) {
    if (node.nodeType === Node.TEXT_NODE || INLINE.has(node.nodeName)) {
      if (!line && isEmpty(node)) continue;
      if (!line) {
        line = document.createElement('p');
        blocks.push(line);
      }
      line.append(node);
    } else {
      line = null;
      blocks.push(node);
    }
  }
  return blocks;
}

/** The child of the area that holds the place, if any. */
function blockOf(area: HTMLElement, place: Node): ChildNode | null {
  let node: Node | null = place;
  while (node && node.parentNode !== area) node = node.parentNode;
  return node as ChildNode | null;
}

export function insertBlocks(area: HTMLElement, nodes: Node[]): void {
  const selection = getSelection();
  const range = selection?.rangeCount ? selection.getRangeAt(0) : null;
  if (!range || !area.contains(range.commonAncestorContainer)) {
    area.append(...nodes);
    return;
  }
  range.deleteContents();
  const block = blockOf(area, range.startContainer);
  if (block) {
    const rest = document.createRange();
    rest.setStart(range.startContainer, range.startOffset);
    rest.setEndAfter(block);
    const tail = [...rest.extractContents().childNodes].filter((node) => !isEmpty(node));
    block.after(...nodes, ...tail);
    if (isEmpty(block)) block.remove();
  } else {
    for (const node of nodes.toReversed()) range.insertNode(node);
  }
  const last = nodes.at(-1);
  if (last) selection?.collapse(last, last.childNodes.length);
}
