/** What people see and touch, measured as the browser draws it. */
import assert from 'node:assert/strict';
import { settled } from './axe.mjs';

/** Every field in sight of a phone is typed into without zooming and hit by a finger; words lie in the middle of segments. */
export async function fitsFingers(page, where) {
  await settled(page);
  const { fields, wrong } = await page.evaluate(() => {
    const seen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const typed = 'input:not([type=checkbox], [type=radio], [type=file], [type=hidden], [type=range]), textarea, select';
    const fields = [...document.querySelectorAll(typed)].filter(
      (one) => seen(one) && one.getBoundingClientRect().width > 1 && !one.closest('[aria-hidden="true"]'),
    );
    const wrong = [];
    for (const one of fields) {
      const name = one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.name;
      const size = Number.parseFloat(getComputedStyle(one).fontSize);
      // A field of several parts is as high as the border around them.
      const { height } = (one.closest('[data-field], .mantine-MultiSelect-input') ?? one).getBoundingClientRect();
      if (size < 16) wrong.push(`${name}: ${size} px type`);
      if (height < 44) wrong.push(`${name}: ${height} px high`);
    }
    for (const label of document.querySelectorAll('[role=radiogroup] label')) {
      if (!seen(label)) continue;
      const range = document.createRange();
      range.selectNodeContents(label);
      const [outer, inner] = [label.getBoundingClientRect(), range.getBoundingClientRect()];
      const off = Math.abs(outer.left + outer.width / 2 - inner.left - inner.width / 2);
      if (off > 2) wrong.push(`${label.textContent}: ${off} px off the middle`);
    }
    return { fields: fields.length, wrong };
  });
  assert.deepEqual(wrong, [], where);
  assert.ok(fields > 0, `${where}: no field was in sight`);
}

/** Contrasts of the borders of these elements with what lies around them. */
export const contrasts = (page, selectors) =>
  page.evaluate((all) => {
    // A canvas reads every notation of a colour.
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
    const paint = (color) => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const light = (color) => {
      const [r, g, b] = paint(color).map((part) => {
        const value = part / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = (element) => {
      for (let box = element.parentElement; box; box = box.parentElement) {
        const color = getComputedStyle(box).backgroundColor;
        if (paint(color)[3] === 255) return color;
      }
      return 'white';
    };
    return [...document.querySelectorAll(all.join())].map((element) => {
      const [a, b] = [light(getComputedStyle(element).borderTopColor), light(ground(element))].sort((x, y) => y - x);
      return (a + 0.05) / (b + 0.05);
    });
  }, selectors);
