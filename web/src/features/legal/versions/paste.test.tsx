import { beforeEach, describe, expect, it } from 'vitest';
import { legalNodes } from './markup';
import { blocksOf, insertBlocks } from './paste';

let area: HTMLElement;
beforeEach(() => {
  document.body.innerHTML = '<div><p>antes después</p><p>otro</p></div>';
  area = document.body.firstElementChild as HTMLElement;
});

const paragraph = (words: string) => Object.assign(document.createElement('p'), { textContent: words });

function caretAt(offset: number): void {
  getSelection()?.collapse(area.firstElementChild?.firstChild ?? area, offset);
}

// EDGE-15
describe('markup pasted into a legal text', () => {
  it('divides the paragraph of the caret, without a style', () => {
    caretAt(6);
    insertBlocks(area, [paragraph('uno'), paragraph('dos')]);
    expect(area.innerHTML).toBe('<p>antes </p><p>uno</p><p>dos</p><p>después</p><p>otro</p>');
  });

  it('makes a paragraph of words that stand alone', () => {
    area.replaceChildren(...blocksOf(legalNodes('Uno <b>y</b> medio\n\n<p>dos</p> ')));
    expect(area.innerHTML).toBe('<p>Uno <strong>y</strong> medio\n\n</p><p>dos</p>');
  });

  it('leaves no empty half behind, and stands at the end without a caret', () => {
    caretAt(0);
    insertBlocks(area, [paragraph('uno')]);
    getSelection()?.removeAllRanges();
    insertBlocks(area, [paragraph('fin')]);
    expect(area.innerHTML).toBe('<p>uno</p><p>antes después</p><p>otro</p><p>fin</p>');
  });
});
