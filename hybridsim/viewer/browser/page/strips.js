// Strip charts: the last seconds of some outputs, which move to the left as time passes.

import { formatLimit, formatNumber } from "./format.js";
import { setText } from "./panels.js";

export const MAX_STRIPS = 4;
const POINTS = 240;
const NARROW_PAGE = 700; // width of a page up to which the charts are below the picture's middle, as page.css has it
const MOST_COVERED = 0.3; // of the height: the camera moves for texts up to this

export class Strips {
  constructor(box, runs, colours) {
    this.box = box;
    this.runs = runs;
    this.colours = colours;
    Object.assign(this, { shown: true, above: 0, size: "" });
    this.charts = runs[0].head.outputs.slice(0, MAX_STRIPS).map((output) => this.makeChart(output));
    this.axis = box.appendChild(document.createElement("p"));
    this.axis.textContent = "\u00a0"; // as high as with its text
    box.hidden = !this.charts.length;
  }

  makeChart({ name, unit, doc }) {
    const figure = document.createElement("figure"), title = document.createElement("figcaption");
    const canvas = document.createElement("canvas");
    title.textContent = unit ? `${name} [${unit}]` : name;
    figure.title = doc;
    canvas.setAttribute("role", "img");
    figure.append(title, canvas);
    this.box.append(figure);
    return { name, unit, canvas, limits: [Infinity, -Infinity] };
  }

  toggle() {
    this.shown = !this.shown;
    this.box.hidden = !this.shown || !this.charts.length;
    return this.shown;
  }

  // What covers the picture: at the right, as a part of its width; above, where texts reach the middle, or bodies so wide, in
  // heights, around it, and below, of its height. Texts that become shorter leave the camera where it is.
  covered(headup, wide) {
    const { clientWidth: width, clientHeight: height } = this.box.parentElement, narrow = width <= NARROW_PAGE;
    const part = (covered) => Math.min(covered / height, MOST_COVERED), { hidden } = this.box;
    const right = hidden || narrow ? 0 : this.box.offsetWidth / width, below = hidden || !narrow ? 0 : part(this.box.offsetHeight);
    const reached = 0.5 * (1 - right) * width - 0.5 * wide * height, size = `${width} ${height} ${hidden}`;
    const above = headup.offsetLeft + headup.offsetWidth > reached ? part(headup.offsetTop + headup.offsetHeight) : 0;
    this.above = Math.max(above, this.size === size ? this.above : 0);
    this.size = size;
    return { right, above: this.above, below };
  }

  // Whether the charts leave no room for what is below them.
  reaches(box) {
    return !this.box.hidden && this.box.offsetTop + this.box.offsetHeight > box.offsetTop;
  }

  draw(t, before, span) {
    if (this.box.hidden) return;
    setText(this.axis, `the last ${Number(span.toPrecision(3))} s`); // first: beside it, there is room for the charts
    this.charts.forEach((chart, k) => this.drawChart(chart, k, t, before, span));
  }

  drawChart(chart, k, t, before, span) {
    const { canvas } = chart, pixels = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    if (canvas.width !== Math.round(width * pixels) || canvas.height !== Math.round(height * pixels)) {
      [canvas.width, canvas.height] = [Math.round(width * pixels), Math.round(height * pixels)];
    }
    const pen = canvas.getContext("2d"), [low, high] = this.limits(chart, k);
    pen.setTransform(pixels, 0, 0, pixels, 0, 0);
    pen.clearRect(0, 0, width, height);
    const left = 54, x = (time) => left + (1 - (t - time) / span) * (width - left - 4);
    const y = (value) => height - 5 - ((value - low) / (high - low)) * (height - 10);
    pen.font = "11px system-ui, sans-serif";
    pen.fillStyle = "#55616e";
    pen.textAlign = "right";
    pen.fillText(formatLimit(high, high - low), left - 6, 11, left - 8); // long numbers become narrower
    pen.fillText(formatLimit(low, high - low), left - 6, height - 2, left - 8);
    if (low < 0 && high > 0) line(pen, "#b5bec8", 1, [[left, y(0)], [width - 4, y(0)]]);
    [...this.runs].reverse().forEach((run) => {
      const column = run.head.outputs.findIndex((output) => output.name === chart.name);
      if (column < 0) return;
      const dashes = run.number ? [6, 2 + run.number] : [];
      line(pen, this.colours.curves[run.number % this.colours.curves.length], 2, curve(run, column, t, before, span, x, y), dashes);
    });
    this.describe(chart, k, t, before);
  }

  describe(chart, k, t, before) {
    const value = formatNumber(this.runs[0].output(k, t, before), this.runs[0].largest(k));
    const text = `${chart.name} ${value} ${chart.unit}, of the last seconds`;
    if (canvasLabel.get(chart.canvas) !== text) {
      canvasLabel.set(chart.canvas, text);
      chart.canvas.setAttribute("aria-label", text);
    }
  }

  // The limits of a chart are those of all runs so far; they never shrink, and are never equal.
  limits(chart, k) {
    for (const run of this.runs) {
      const column = run.head.outputs.findIndex((output) => output.name === chart.name);
      if (column < 0) continue;
      chart.limits[0] = Math.min(chart.limits[0], run.limits[column][0]);
      chart.limits[1] = Math.max(chart.limits[1], run.limits[column][1]);
    }
    const [low, high] = chart.limits;
    if (!Number.isFinite(low)) return [0, 1];
    const size = Math.max(Math.abs(low), Math.abs(high));
    if (size < 1e-14) return [-1, 1]; // what is still zero does not say how large it will be
    const margin = high - low <= 1e-9 * size ? 0.5 * size : 0;
    return [low - margin, high + margin];
  }
}

const canvasLabel = new WeakMap();

// The points of a curve: those of the run where they are few, both sides of jumps among them, or else equal steps.
function curve(run, column, t, before, span, x, y) {
  const begin = Math.max(t - span, run.begin), end = Math.min(t, run.end), points = [];
  const first = run.t.last(begin, false) + 1, last = run.t.last(end, before), values = run.outputs[column].values;
  points.push([x(begin), y(run.output(column, begin, false))]);
  const step = Math.max(1, Math.floor((last - first) / (8 * POINTS)));
  for (let i = first; i <= last; i += step) points.push([x(run.t.values[i]), y(values[i])]);
  points.push([x(end), y(run.output(column, end, before))]);
  return points.filter(([, height]) => Number.isFinite(height));
}

function line(pen, colour, width, points, dashes = []) {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  pen.setLineDash(dashes);
  pen.beginPath();
  points.forEach(([x, y], i) => (i ? pen.lineTo(x, y) : pen.moveTo(x, y)));
  pen.stroke();
}
