// Renders the Mermaid text on standard input and prints as JSON what a reader of the picture would see.
import { readFileSync } from 'node:fs';
import { JSDOM } from 'jsdom';

const { window } = new JSDOM('<!doctype html><body></body>', { pretendToBeVisual: true });
Object.assign(globalThis, { window, document: window.document, CSSStyleSheet: window.CSSStyleSheet });
// jsdom lays nothing out; any size will do.
const box = () => ({ x: 0, y: 0, width: 100, height: 20, top: 0, left: 0, right: 100, bottom: 20 });
Object.assign(window.Element.prototype, { getBBox: box, getBoundingClientRect: box, getComputedTextLength: () => 100 });

const { default: mermaid } = await import('mermaid');
// The test draws all hostile texts at once, which is more than a page may hold.
mermaid.initialize({ startOnLoad: false, maxTextSize: 10_000_000, maxEdges: 10_000 });
const text = readFileSync(0, 'utf8');
const { config } = await mermaid.parse(text);
const { svg } = await mermaid.render('drawing', text);
const picture = new window.DOMParser().parseFromString(svg, 'text/html');

const lines = (label) => {
  const copy = label.cloneNode(true);
  copy.querySelectorAll('br').forEach((br) => br.replaceWith('\n'));
  return copy.textContent.split('\n');
};
const drawn = [...picture.querySelectorAll('.node')];
const id = (node) => node.id.replace(/^.*flowchart-(.*)-\d+$/, '$1');
const nodes = Object.fromEntries(drawn.map((node) => [id(node), lines(node.querySelector('.nodeLabel'))]));
const labels = [...picture.querySelectorAll('.edgeLabel .edgeLabel')];
const evidence = labels.map((label) => lines(label).join('\n')).filter((words) => words !== '');
const inside = picture.querySelectorAll('.nodeLabel, .nodeLabel *, .edgeLabel .edgeLabel, .edgeLabel .edgeLabel *');
const elements = [...new Set([...inside].map((element) => element.tagName.toUpperCase()))].sort();
const edges = picture.querySelectorAll('path.flowchart-link').length;
process.stdout.write(JSON.stringify({ nodes, evidence, elements, edges, config }));
