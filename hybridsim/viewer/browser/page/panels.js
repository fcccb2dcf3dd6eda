// Texts around the picture: head-up lines, the help, messages, what a screen reader is told, and sliders of inputs.

import { formatNumber, formatTime } from "./format.js";

export const element = (id) => document.getElementById(id);

// Sets a text only when it has changed, so that nothing is laid out again in vain.
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

const SEEN = 3000; // milliseconds for which what is said is seen

// Says something, to screen readers and for a while to all: pause, events, speed, camera, the end; never each picture.
export function announce(text) {
  const box = element("live");
  setText(box, text);
  box.classList.add("seen");
  clearTimeout(announce.later);
  announce.later = setTimeout(() => box.classList.remove("seen"), SEEN);
}

// A message in the middle of the page; "" hides it.
export function showMessage(text, alarm = false) {
  const box = element("message");
  box.hidden = !text;
  box.classList.toggle("alarm", alarm);
  setText(box.firstElementChild, text);
}

// The lines at the upper left: time and speed, then for each run its chart, its jumps, its last event and its outputs.
export class HeadUp {
  constructor(box, runs, player, curves) {
    Object.assign(this, { runs, player });
    this.first = box.appendChild(document.createElement("p"));
    this.lines = runs.map((run) => {
      const line = box.appendChild(document.createElement("p"));
      if (runs.length > 1) line.style.color = curves[run.number % curves.length];
      return ["name", "chart", "jumps", "event", "outputs"].map((name) => {
        const part = line.appendChild(document.createElement("span"));
        part.className = name;
        return part;
      });
    });
  }

  state() {
    const { player, runs } = this;
    if (player.atEnd) return runs.length === 1 ? runs[0].message || "the end" : "the end";
    if (!player.playing) return player.before ? `paused, before ${this.next() || "the jump"}` : "paused";
    return player.t >= player.end ? "computing" : "";
  }

  // The event at this time.
  next() {
    const { t } = this.player;
    return this.runs.find((run) => run.isEvent(t))?.moment(t, false).text;
  }

  draw() {
    const { player } = this;
    setText(this.first, `t ${formatTime(player)}   ${Number(player.speed.toPrecision(3))}x   ${this.state()}`.trimEnd());
    this.runs.forEach((run, i) => {
      const { chart, j, text } = run.moment(player.t, player.before);
      const values = run.head.outputs.map(({ name, unit }, k) =>
        `${name} ${formatNumber(run.output(k, player.t, player.before), run.largest(k))} ${unit}`.trimEnd());
      const parts = [
        this.runs.length > 1 ? run.head.name : "",
        (run.charts[chart] ?? "").replace(/ (?=[●○])/g, "\u00a0"), // lamps stay with the name of their field
        `${j} ${j === 1 ? "jump" : "jumps"}`,
        text && `last: ${text}`,
        values.join("   "),
      ];
      this.lines[i].forEach((node, k) => setText(node, parts[k]));
    });
  }
}

// The name of the run in each part of a picture with several, at its left.
export class PanelNames {
  constructor(box, runs, stage, curves) {
    this.stage = stage;
    this.names = stage.panels.length < 2 ? [] : runs.map((run) => {
      const name = box.appendChild(document.createElement("p"));
      name.textContent = run.head.name;
      name.style.color = curves[run.number % curves.length];
      return name;
    });
  }

  draw() {
    this.stage.places().slice(0, this.names.length).forEach(({ x, y, height }, i) => {
      Object.assign(this.names[i].style, { left: `${x + 10}px`, bottom: `${y + 0.45 * height}px` });
    });
  }
}

// What the help says about the runs.
export function describeRuns(header, runs) {
  const lines = runs.map(({ head, message, finished }) => {
    const bodies = head.bodies.length === 1 ? "1 body" : `${head.bodies.length} bodies`;
    return [`${head.name}: model ${head.model}, ${bodies}`, finished ? message : "", ...head.notes].filter(Boolean).join("; ");
  });
  return [...lines, `Written by hybridsim ${header.version}.`];
}

// Sliders for the inputs of a live run; `send(name, value)` changes one.
export class InputSliders {
  constructor(box, inputs, send) {
    this.box = box;
    this.rows = inputs.map((input) => this.makeRow(input, send));
  }

  makeRow(input, send) {
    const label = document.createElement("label"), slider = document.createElement("input"), text = document.createElement("output");
    slider.type = "range";
    const row = { input, slider, show: (value) => setText(text, `${formatNumber(value)} ${input.unit}`.trimEnd()) };
    setRange(row, input.value);
    label.title = input.doc;
    label.append(input.name, slider, text);
    this.box.append(label);
    row.show(input.value);
    slider.addEventListener("input", () => {
      row.show(Number(slider.value));
      send(input.name, Number(slider.value));
    });
    slider.addEventListener("change", () => widen(row));
    return row;
  }

  // Shows the values that another browser or a restart has set.
  set(values) {
    for (const row of this.rows) {
      const { input, slider, show } = row, value = values[input.name];
      if (value === undefined || document.activeElement === slider) continue;
      if (value < Number(slider.min) || value > Number(slider.max)) setRange(row, value);
      slider.value = value;
      show(value);
    }
  }
}

// A slider goes from bound to bound of its input; without a bound, as far from the value as zero is.
function setRange({ input, slider }, value) {
  const reach = Math.abs(value) || 1, low = input.lower ?? value - reach, high = input.upper ?? value + reach;
  setEnds(slider, ...(low < high ? [low, high] : [value - reach, value + reach]), value);
}

// A handle that is released at an end without a bound widens the range there.
function widen({ input, slider }) {
  const low = Number(slider.min), high = Number(slider.max), value = Number(slider.value), step = (high - low) / 500;
  const lower = value < low + 0.5 * step ? Math.max(2 * low - high, input.lower ?? -Infinity) : low;
  const upper = value > high - 0.5 * step ? Math.min(2 * high - low, input.upper ?? Infinity) : high;
  if (lower < low || upper > high) setEnds(slider, lower, upper, value);
}

function setEnds(slider, min, max, value) {
  Object.assign(slider, { min, max, step: (max - min) / 500, value });
}
