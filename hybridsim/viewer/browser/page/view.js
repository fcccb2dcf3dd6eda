// Everything that is shown of some runs, and what the actions of keys and buttons do with it.

import { ACTIONS, PAUSE_ICON, actionOf, makeButtons, setIcon } from "./actions.js";
import { CAMERAS } from "./camera.js";
import { formatTime } from "./format.js";
import { drawLegend } from "./legend.js";
import { Pusher } from "./live.js";
import { listenToMouse, turnByKey } from "./mouse.js";
import { HeadUp, InputSliders, PanelNames, announce, describeRuns, element, showMessage } from "./panels.js";
import { Player } from "./player.js";
import { Stage } from "./stage.js";
import { Strips } from "./strips.js";
import { Timeline } from "./timeline.js";

const HISTORY = 4; // seconds of real time that strip charts and trails cover

export class View {
  // `old` is the view of the run before a restart: the new one goes on as that was.
  constructor(header, runs, connection = null, old = null) {
    Object.assign(this, { header, runs, connection, closed: false, changed: true });
    const [run] = runs, canvas = freshCanvas(), { view, colours } = header;
    this.player = new Player(runs, view);
    this.player.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.stage = new Stage(canvas, runs, view, colours);
    for (const id of ["headup", "names", "strips", "kinds"]) element(id).replaceChildren();
    this.strips = new Strips(element("strips"), runs, colours);
    this.headup = new HeadUp(element("headup"), runs, this.player, colours.curves);
    this.names = new PanelNames(element("names"), runs, this.stage, colours.curves);
    const line = { slider: element("time"), ticks: element("ticks"), kinds: element("kinds"), ends: [element("begin"), element("end")] };
    this.timeline = new Timeline(line, this.player, run, colours, (text) => {
      announce(text);
      this.changed = true;
    });
    this.pusher = new Pusher(this.stage, run, this.player, connection, (reason) => {
      showMessage(reason);
      return false;
    });
    this.addControls();
    element("time").onchange = () => this.player.playing || this.writeAddress();
    drawLegend(element("legend"), run.head);
    listenToMouse(canvas, this.stage, this.pusher, () => (this.changed = true));
    canvas.setAttribute("aria-label", `moving picture of ${run.head.model}: ${run.head.bodies.map((b) => b.name).slice(0, 12).join(", ")}`);
    element("legend").hidden = false;
    showMessage("");
    if (old) this.goOn(old);
    else this.readAddress();
    if (!old && (this.player.playing || !location.hash)) announce(`${this.player.playing ? "playing; space pauses" : "paused; space plays"}, h lists the keys`);
  }

  goOn({ player, stage }) {
    Object.assign(this.player, { speed: player.speed, playing: player.playing || player.atEnd });
    this.stage.setCamera(stage.cameraName);
    if (stage.cameraName !== "free") return;
    this.stage.panels.forEach(({ camera }, i) => {
      for (const part of ["eye", "target", "up"]) camera[part].copy((stage.panels[i] ?? stage.panels[0]).camera[part]);
    });
  }

  addControls() {
    const has = (kind) => this.runs.some((run) => run.head.bodies.some((body) => body.kind === kind));
    const here = ({ live, kind, name }) =>
      (!live || this.connection) && (!kind || has(kind)) && (name !== "inputs" || this.runs[0].head.inputs.length);
    this.actions = ACTIONS.filter(here);
    this.buttons = makeButtons(element("buttons"), element("keys"), this.actions, (name) => this.act(name));
    this.buttons.cones?.setAttribute("aria-pressed", String(this.stage.shown.has("cone")));
    element("inputs").replaceChildren(element("inputs").firstElementChild);
    element("inputs").hidden = true;
    this.sliders = new InputSliders(element("inputs"), this.runs[0].head.inputs, (name, value) => {
      this.connection.send({ type: "input", name, value });
    });
  }

  setPressed(name, pressed) {
    this.buttons[name].setAttribute("aria-pressed", String(pressed));
    announce(`${this.buttons[name].getAttribute("aria-label")} ${pressed ? "shown" : "hidden"}`);
  }

  // Does what a key or a button stands for.
  act(name, factor = 1) {
    const { player, stage } = this;
    const does = {
      beginning: () => this.goTo(player.begin),
      end: () => this.goTo(player.end),
      back: () => player.step(-factor),
      forward: () => player.step(factor),
      play: () => player.toggle(),
      previousEvent: () => this.goToEvent(false),
      nextEvent: () => this.goToEvent(true),
      seek: () => this.askTime(),
      otherSide: () => announce(player.otherSide() ? this.moment() : "there is no event at this time"),
      slower: () => this.changeSpeed(0.5),
      faster: () => this.changeSpeed(2),
      camera: () => this.nextCamera(),
      trails: () => this.setPressed("trails", (stage.trails = !stage.trails)),
      forces: () => this.setPressed("forces", !(element("legend").hidden = !stage.toggle("force"))),
      cones: () => this.setPressed("cones", stage.toggle("cone")),
      contacts: () => this.setPressed("contacts", stage.toggle("contact")),
      joints: () => this.setPressed("joints", stage.toggle("joint")),
      frames: () => this.setPressed("frames", stage.toggle("frame")),
      inertia: () => this.setPressed("inertia", stage.toggle("inertia")),
      strips: () => this.setPressed("strips", this.strips.toggle()),
      inputs: () => this.toggleInputs(),
      restart: () => this.connection.send({ type: "restart" }),
      close: () => this.connection.send({ type: "close" }),
      help: () => this.showHelp(),
    };
    does[name]();
    this.changed = true;
    if (name === "play") announce(player.playing ? "playing" : `paused at ${formatTime(player)}`);
    if (["beginning", "end", "back", "forward"].includes(name) && !player.playing) announce(formatTime(player));
    if (!player.playing) this.writeAddress();
  }

  goTo(t) {
    this.player.start = null;
    this.player.goTo(t);
  }

  goToEvent(forward) {
    const t = this.runs[0].neighbour(this.player.t, forward, (kind) => this.timeline.isOn(kind));
    if (t === undefined) return announce(`there is no ${forward ? "later" : "earlier"} event${this.timeline.on.includes(false) ? " of the kinds shown" : ""}`);
    this.player.pause();
    this.goTo(t);
    return announce(this.moment());
  }

  // The time, its side, and what is there, as a sentence.
  moment() {
    const { player, runs: [run] } = this, { chart, text } = run.moment(player.t, player.before);
    const last = run.isEvent(player.t) ? run.moment(player.t, false).text : text;
    return `${player.before ? "before" : "after"} ${last || "the beginning"}, ${formatTime(player)}, chart ${spoken(run.charts[chart] ?? "")}`;
  }

  changeSpeed(factor) {
    this.player.changeSpeed(factor);
    announce(`speed ${Number(this.player.speed.toPrecision(3))}x`);
  }

  nextCamera() {
    const name = CAMERAS[(CAMERAS.indexOf(this.stage.cameraName) + 1) % CAMERAS.length];
    this.stage.setCamera(name);
    announce(`camera ${name}${name === "free" ? ": it stays here; drag, or alt and arrows, to turn it" : ""}`);
  }

  askTime() {
    const box = element("seek"), field = element("seek-time"), form = box.firstElementChild;
    const given = () => Number(field.value.trim().replace(",", ".") || NaN);
    field.value = formatTime(this.player).replace(" s", "");
    field.oninput = () => field.setCustomValidity(Number.isFinite(given()) ? "" : "expected a time in seconds, such as 3.2");
    field.oninput();
    form.onsubmit = () => this.seek(given());
    box.showModal();
    field.select();
  }

  // Pauses at a time: a run that is computed is waited for, and beyond its ends is its nearest end.
  seek(t) {
    const { player } = this, { begin, end, finished } = player;
    player.pause();
    this.goTo(t);
    this.changed = true;
    this.writeAddress();
    if (t > end && !finished) {
      player.start = t;
      announce(`waiting until ${t} s are computed`);
    } else announce(t < begin || t > end ? `the run is from ${Number(begin.toPrecision(6))} to ${Number(end.toPrecision(6))} s` : this.moment());
  }

  toggleInputs() {
    const box = element("inputs");
    box.hidden = !box.hidden;
    this.setPressed("inputs", !box.hidden);
  }

  showHelp() {
    const paragraphs = describeRuns(this.header, this.runs).map((text) => {
      const paragraph = document.createElement("p");
      paragraph.textContent = text;
      return paragraph;
    });
    element("about").replaceChildren(...paragraphs);
    drawLegend(element("meanings"), this.runs[0].head, this.runs[0].head.lamps, this.timeline.shades());
    const help = element("help");
    help.onclick = ({ clientX, clientY, detail }) => {
      const { left, right, top, bottom } = help.getBoundingClientRect();
      const inside = left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
      if (detail > 0 && !inside) help.close(); // a click outside; a button that a key has pressed has detail 0
    };
    help.showModal();
  }

  // A key pressed anywhere on the page; one of a focused button presses that button alone.
  press(event) {
    const { target, key } = event;
    if (event.ctrlKey || event.metaKey || key === "Tab" || element("seek").open) return;
    if (element("help").open) {
      if (["h", "?", "Escape"].includes(key)) element("help").close();
      return;
    }
    if (target.tagName === "BUTTON" && (key === " " || key === "Enter")) return;
    if (target.type === "range" && target.id !== "time" && key.startsWith("Arrow")) return;
    if (event.altKey) {
      if (!turnByKey(key, this.stage)) return;
    } else {
      const action = actionOf(key, this.actions);
      if (!action || (event.repeat && action.pressed !== undefined)) return;
      if (key === "Escape" && !element("message").hidden) showMessage("");
      else this.act(action.name, event.shiftKey ? 10 : 1);
    }
    event.preventDefault();
    this.changed = true;
  }

  readAddress() {
    const given = new URLSearchParams(location.hash.slice(1)), { player } = this;
    if (given.has("speed")) player.speed = Number(given.get("speed")) || player.speed;
    if (CAMERAS.includes(given.get("camera"))) this.stage.setCamera(given.get("camera"));
    player.loop = given.get("loop") === "1";
    document.body.classList.toggle("plain", given.get("plain") === "1"); // within another page
    if (given.has("play")) player.playing = given.get("play") !== "0";
    else if (given.has("t")) player.playing = false;
    if (given.has("t") && Number.isFinite(Number(given.get("t")))) player.start = Number(given.get("t"));
    this.changed = true;
  }

  // Writes the time into the address, so that it can be copied; a page inside another one may not do so.
  writeAddress() {
    const words = new URLSearchParams({ t: Number(this.player.t.toFixed(9)), speed: this.player.speed, camera: this.stage.cameraName });
    try {
      history.replaceState(null, "", `#${words}`);
    } catch {
      this.writeAddress = () => {};
    }
  }

  // Shows the present moment, `seconds` of real time after the last one.
  draw(seconds) {
    const { player, stage, strips } = this, wasPlaying = player.playing, before = this.shown; // the slider moves the time between two pictures, too
    player.tick(Math.min(seconds, 0.5));
    if (wasPlaying && !player.playing) announce(`the end: ${this.headup.state()}`);
    const pressed = this.pusher.way !== null;
    if (!this.changed && !pressed && player.t === before && player.playing === wasPlaying && stage.canvas.parentElement.clientWidth === stage.width && stage.canvas.parentElement.clientHeight === stage.height) return;
    if (player.playing && player.t !== before) stage.noteInterval(seconds);
    this.changed = false;
    this.shown = player.t;
    this.pusher.apply();
    this.tellDropped();
    const span = HISTORY * player.speed;
    this.headup.draw(); // first: the camera makes room for its lines
    stage.draw(player.t, player.before, span, (wide) => strips.covered(element("headup"), wide));
    this.names.draw();
    strips.draw(player.t, player.before, span);
    element("legend").style.visibility = strips.reaches(element("legend")) ? "hidden" : "";
    this.timeline.draw();
    this.showPlaying();
  }

  tellDropped() {
    if (this.told || !this.runs.some((run) => run.dropped)) return;
    this.told = true;
    showMessage(`This page begins at ${Number(this.player.begin.toPrecision(6))} s: it keeps the latest part of a long run, as much as memory allows. The file of the run has all of it.`);
  }

  showPlaying() {
    const { playing } = this.player, { play } = this.buttons;
    if (play.dataset.playing === String(playing)) return;
    play.dataset.playing = playing;
    play.setAttribute("aria-label", playing ? "pause" : "play");
    setIcon(play, playing ? PAUSE_ICON : ACTIONS.find(({ name }) => name === "play").icon);
  }
}

// The name of a chart with the numbers of the lamps that are lit.
function spoken(chart) {
  const lit = (lamps) => [...lamps].flatMap((lamp, i) => (lamp === "●" ? [i] : [])).join(" and ") || "none";
  return chart.replace(/[●○]+/g, lit);
}

// A canvas without a context, in place of one that an earlier view has drawn on.
function freshCanvas() {
  const old = element("picture"), canvas = old.cloneNode();
  old.replaceWith(canvas);
  return canvas;
}
