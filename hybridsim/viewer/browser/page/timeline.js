// The time line: the duration of the runs, the charts as a band, the events as ticks, and buttons for their kinds.

import { formatCount, formatTime } from "./format.js";

const MANY_EVENTS = 300; // kinds with more events start switched off
const MOST_CHARTS = 8; // of which a band is drawn
const SNAP = 3; // pixels around a tick in which the handle shows its event
const SPREAD = 8; // pixels by which the slider's handle keeps away from the ends

export class Timeline {
  constructor(elements, player, run, colours, announce) {
    Object.assign(this, { ...elements, player, run, colours, announce });
    this.on = run.head.kinds.map(() => true);
    this.chosen = run.head.kinds.map(() => false); // by the reader
    this.drawn = "";
    this.buttons = run.head.kinds.map((kind, i) => this.makeButton(kind, i));
    this.slider.addEventListener("input", () => {
      player.start = null;
      player.goTo(this.snapped(this.begin + Number(this.slider.value) * (this.end - this.begin)));
    });
  }

  makeButton(kind, i) {
    const button = document.createElement("button"), mark = document.createElement("i"), label = document.createElement("span");
    mark.style.background = kind.colour;
    button.type = "button";
    button.append(mark, label);
    button.hidden = true;
    button.addEventListener("click", () => {
      this.on[i] = !this.on[i];
      this.chosen[i] = true;
      this.announce(`events of ${kind.name} ${this.on[i] ? "shown" : "hidden"}`);
      this.drawn = "";
    });
    this.kinds.append(button);
    return button;
  }

  get begin() {
    return this.player.begin;
  }

  // While runs are computed, the line ends at a round time after what is known.
  get end() {
    const { begin, end, finished } = this.player;
    if (finished) return end > begin ? end : begin + 1;
    const span = Math.max(1.05 * (end - begin), 1e-9), scale = 10 ** Math.floor(Math.log10(span));
    return begin + [1, 1.5, 2, 3, 5, 7.5, 10].map((step) => step * scale).find((step) => step >= span);
  }

  // The time of the nearest event that is shown, if its tick is under the handle; or else the time itself.
  snapped(t) {
    const reach = (SNAP * (this.end - this.begin)) / Math.max(this.ticks.clientWidth - 2 * SPREAD, 1), shown = (kind) => this.isOn(kind);
    const near = [false, true].map((later) => this.run.neighbour(t, later, shown)).filter((event) => Math.abs(event - t) <= reach);
    return near.sort((a, b) => Math.abs(a - t) - Math.abs(b - t))[0] ?? t;
  }

  isOn(kind) {
    return this.on[kind];
  }

  draw() {
    const { player, slider, run } = this;
    const state = [run.version, this.begin, this.end, this.ticks.clientWidth, this.on.join()].join(" ");
    if (state !== this.drawn) {
      this.drawn = state;
      this.drawButtons();
      this.drawTicks();
    }
    const share = String((player.t - this.begin) / (this.end - this.begin));
    if (slider.value !== share) slider.value = share;
    const text = formatTime(player);
    if (slider.getAttribute("aria-valuetext") !== text) slider.setAttribute("aria-valuetext", text);
  }

  drawButtons() {
    this.buttons.forEach((button, i) => {
      const count = this.run.counts[i], { name } = this.run.head.kinds[i];
      if (!this.chosen[i]) this.on[i] = count <= MANY_EVENTS;
      button.hidden = !count;
      button.lastChild.textContent = `${name} (${formatCount(count)})`;
      button.setAttribute("aria-pressed", String(this.on[i]));
      button.setAttribute("aria-label", `${name}, ${formatCount(count)} events`);
    });
    this.ends[0].textContent = `${Number(this.begin.toPrecision(6))} s`;
    this.ends[1].textContent = `${Number(this.end.toPrecision(6))} s`;
  }

  drawTicks() {
    const { ticks, run } = this, pixels = window.devicePixelRatio || 1;
    const width = ticks.clientWidth, height = ticks.clientHeight;
    ticks.width = Math.round(width * pixels);
    ticks.height = Math.round(height * pixels);
    const pen = ticks.getContext("2d");
    pen.setTransform(pixels, 0, 0, pixels, 0, 0);
    const x = (t) => SPREAD + ((t - this.begin) / (this.end - this.begin)) * (width - 2 * SPREAD);
    this.drawBand(pen, x, height);
    const { t, kind } = run.events;
    run.head.kinds.forEach(({ colour }, k) => {
      if (!this.on[k]) return;
      const columns = new Set();
      for (let e = 0; e < t.length; e++) if (kind.values[e] === k) columns.add(Math.round(x(t.values[e])));
      const many = columns.size > 0.1 * width;
      pen.fillStyle = colour;
      pen.globalAlpha = many ? 0.7 : 1;
      // Kinds stand at heights of their own, so that they can be told apart without their colours.
      const top = (k % 4) * 3;
      for (const column of columns) pen.fillRect(column - 0.8, top, 1.6, height - 9 - top - (many ? 6 : 0));
      pen.globalAlpha = 1;
    });
  }

  // The charts in the band and their shades, if they are few; in the model's order, as in plots.
  shades() {
    const { charts, head } = this.run, { shades } = this.colours;
    if (charts.length > MOST_CHARTS || charts.length < 2) return [];
    const places = (name) => name.split("|").map((part) => (head.charts.includes(part) ? head.charts.indexOf(part) : Number(part)));
    const order = (a, b) => places(a)[0] - places(b)[0] || (places(a)[1] ?? -1) - (places(b)[1] ?? -1);
    const sorted = [...charts].sort(order);
    return charts.map((name) => [name, shades[sorted.indexOf(name) % shades.length]]);
  }

  drawBand(pen, x, height) {
    const { t, chart } = this.run.events, { run } = this, shades = this.shades();
    if (!shades.length) return;
    const span = (from, to, number) => {
      pen.fillStyle = shades[number][1];
      pen.fillRect(x(from), height - 8, Math.max(x(to) - x(from), 0.5), 8);
    };
    let from = run.begin, now = run.first.chart;
    for (let e = 0; e < t.length; e++) {
      if (chart.values[e] === now) continue;
      span(from, t.values[e], now);
      [from, now] = [t.values[e], chart.values[e]];
    }
    span(from, run.end, now);
  }
}
