/**
 * Measuring by what is in the picture: a drawn sheet is found in a photo, a length is measured by keyboard alone, kept, shown in gallery,
 * report, archive and public API, and goes on at a phone's width. Real Chromium, real server.
 * Needs ATALAYA_BIN and pdftotext. Screenshots go to e2e/artifacts.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkAccessibility, settled } from '../lib/axe.mjs';
import { openPage } from '../lib/browsers.mjs';
import { logIn, openConference, session, until } from '../lib/steps.mjs';
import { world } from '../lib/world.mjs';

let url, browser, mine, worker;

const { errors, shot, account } = world('measure', async (own) => {
  url = own.server.url;
  browser = own.browser;
  worker = account('worker');
  mine = await session(url, worker);
});

/** A photo of a sheet of paper, 30° off, with a line of 150 mm on it, as a JPEG; drawn by the browser. */
const photo = (page) =>
  page.evaluate(async () => {
    const [width, height] = [1600, 1200];
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    const pen = canvas.getContext('2d');
    pen.fillStyle = '#5b5148';
    pen.fillRect(0, 0, width, height);
    const tilt = Math.PI / 6;
    const seen = (x, y) => {
      const depth = 620 + y * Math.sin(tilt);
      return [width / 2 + (0.75 * width * x) / depth, height / 2 + (0.75 * width * y * Math.cos(tilt)) / depth];
    };
    const path = (points) => {
      pen.beginPath();
      for (const [n, point] of points.entries()) pen[n === 0 ? 'moveTo' : 'lineTo'](...seen(...point));
    };
    path([[-148.5, -105], [148.5, -105], [148.5, 105], [-148.5, 105]]);
    pen.closePath();
    pen.fillStyle = '#f2f1ec';
    pen.fill();
    path([[-75, 20], [75, 20]]);
    pen.lineWidth = 3;
    pen.strokeStyle = '#a03020';
    pen.stroke();
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.95));
    const bytes = [...new Uint8Array(await blob.arrayBuffer())];
    const at = (x, y) => seen(x, y).map((place, axis) => place / (axis === 0 ? width : height));
    return { bytes, ends: [at(-75, 20), at(75, 20)] };
  });

/** Moves what has the focus to a place of the picture by arrows alone, ten pixels at a time and then one. */
async function byArrows(page, name, [x, y]) {
  const handle = page.getByRole('button', { name });
  await handle.focus();
  const now = () => handle.evaluate((one) => [Number.parseFloat(one.style.left) / 100, Number.parseFloat(one.style.top) / 100]);
  const press = async (key, pixels) => {
    for (let n = 0; n < Math.floor(pixels / 10); n += 1) await page.keyboard.press(`Shift+${key}`);
    for (let n = 0; n < pixels % 10; n += 1) await page.keyboard.press(key);
  };
  const [left, top] = await now();
  const [dx, dy] = [Math.round((x - left) * 1600), Math.round((y - top) * 1200)];
  await press(dx < 0 ? 'ArrowLeft' : 'ArrowRight', Math.abs(dx));
  await press(dy < 0 ? 'ArrowUp' : 'ArrowDown', Math.abs(dy));
}

const millimetres = async (page) => {
  const text = await page.getByRole('list', { name: 'Lo medido' }).getByText(/ ± /).first().textContent();
  const [, value, error] = /(\d+) mm ± (\d+) mm/.exec(text);
  return [Number(value), Number(error)];
};

// MEASURE-1, MEASURE-2, MEASURE-3, MEASURE-6, MEASURE-7, MEASURE-9, MEASURE-10, MEASURE-12, MEASURE-13
test('a sheet is found, a length is measured by keyboard, and is data everywhere', async () => {
  const page = await openPage(browser, 'adjuster', errors);
  await logIn(page, url, worker);
  const id = await openConference(page, url, { expedient: 'EXP-MEASURE' });
  const { bytes, ends } = await photo(page);
  const original = Buffer.from(bytes);
  const body = new FormData();
  body.append('file', new Blob([original], { type: 'image/jpeg' }), 'hoja.jpg');
  const sent = await fetch(`${url}/api/v1/conference-media/${id}`, { method: 'POST', headers: mine.headers, body });
  assert.ok(sent.ok, `${sent.status}`);
  const media = (await sent.json()).media;

  await page.goto(`${url}/conference-media/${id}`);
  await page.getByRole('button', { name: 'Medir', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Medir en la foto' });
  await dialog.getByRole('combobox', { name: 'Objeto de tamaño conocido' }).click();
  await page.getByRole('option', { name: /Hoja A4/ }).click();
  await dialog.getByRole('button', { name: 'Buscar en la foto' }).click();
  await dialog.getByText('Esquinas encontradas').waitFor();
  await dialog.getByRole('button', { name: 'Longitud' }).press('Enter');
  await byArrows(page, /^Medida 1, punto 1/, ends[0]);
  await byArrows(page, /^Medida 1, punto 2/, ends[1]);
  const [value, error] = await millimetres(page);
  assert.ok(Math.abs(value - 150) <= 0.05 * 150 && Math.abs(value - 150) <= error + 1, `${value} ± ${error} of 150 mm`);
  await settled(page);
  await checkAccessibility(page, 'measuring at a desk');
  await shot(page, 'desktop');
  await dialog.getByRole('button', { name: 'Guardar' }).press('Enter');
  await page.getByText('Medidas guardadas').waitFor();

  // The server computed the same, and the layer is the one that the chain tells.
  const { measures } = await (await mine.get(`conference-measures/${id}`)).json();
  const [shape] = measures[0].planes[0].shapes;
  assert.ok(Math.abs(shape.value - value) <= 0.6, `${shape.value} is shown as ${value}`);
  const layer = await mine.get(measures[0].url);
  const svg = Buffer.from(await layer.arrayBuffer());
  assert.equal(createHash('sha256').update(svg).digest('hex'), measures[0].sha256);
  const { tracks } = await (await mine.get(`conferences-details/${id}`)).json();
  assert.equal(tracks.find(({ type }) => type === 'MEASURE_CHANGED').data.sha256, measures[0].sha256);

  // Gallery and report.
  await page.getByAltText(/^Medidas en /).waitFor();
  await page.getByRole('heading', { name: 'Medidas' }).waitFor();
  await shot(page, 'gallery');
  const report = await mine.get(`photo-report/${id}`);
  const pdf = join(tmpdir(), `measure-${id}.pdf`);
  await writeFile(pdf, Buffer.from(await report.arrayBuffer()));
  assert.match(execFileSync('pdftotext', ['-layout', pdf, '-']).toString(), /Medidas[\s\S]*1: 1\d\d mm ± /);

  // The picture itself is as it came.
  const kept = Buffer.from(await (await mine.get(media.url)).arrayBuffer());
  assert.equal(createHash('sha256').update(kept).digest('hex'), createHash('sha256').update(original).digest('hex'));

  // On a phone it goes on.
  const phone = await openPage(browser, 'adjuster-phone', errors, { size: 'phone' });
  await logIn(phone, url, worker);
  await phone.goto(`${url}/conference-media/${id}`);
  await phone.getByRole('button', { name: /hoja|Foto 1/ }).first().click();
  await phone.getByRole('button', { name: 'Medir', exact: true }).click();
  await until(() => millimetres(phone).then(([now]) => ({ now })), ({ now }) => now === value, 20_000);
  await phone.getByRole('button', { name: 'Área' }).click();
  await phone.getByText(/cm² ± /).first().waitFor();
  await settled(phone);
  await checkAccessibility(phone, 'measuring on a phone');
  await shot(phone, 'phone');
});

// MEASURE-8
test('the marker is printed without a session', async () => {
  const answer = await fetch(`${url}/api/v1/measure-marker?language=en`);
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/pdf']);
  const pdf = join(tmpdir(), 'measure-marker.pdf');
  await writeFile(pdf, Buffer.from(await answer.arrayBuffer()));
  assert.match(execFileSync('pdftotext', [pdf, '-']).toString(), /Print this sheet at 100%/);
});
