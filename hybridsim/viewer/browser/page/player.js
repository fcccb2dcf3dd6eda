// The player: which time is shown, on which side of a jump, and how it advances.

const SLOWEST = 2 ** -12, FASTEST = 2 ** 12;

export class Player {
  constructor(runs, { speed, fps, begin }) {
    this.runs = runs;
    this.speed = speed;
    this.fps = fps;
    this.playing = true;
    this.before = false;
    this.loop = false; // whether to begin again at the end
    this.t = this.begin;
    this.start = begin; // time at which to begin, which a run that is computed has yet to reach
  }

  get begin() {
    return Math.min(...this.runs.map((run) => run.begin));
  }

  get end() {
    return Math.max(...this.runs.map((run) => run.end));
  }

  get finished() {
    return this.runs.every((run) => run.finished);
  }

  get atEnd() {
    return this.finished && this.t >= this.end;
  }

  tick(seconds) {
    if (this.t < this.begin) this.goTo(this.begin); // what was there has been dropped
    if (this.start !== null) {
      this.goTo(this.start);
      if (this.t >= this.start || this.atEnd) this.start = null;
    } else if (this.playing) {
      this.goTo(this.atEnd ? this.begin : this.t + seconds * this.speed);
      this.playing = this.loop || !this.atEnd;
    }
  }

  goTo(t, before = false) {
    this.t = Math.min(Math.max(t, this.begin), this.end);
    this.before = before;
  }

  toggle() {
    this.playing = !this.playing;
    if (this.playing && this.atEnd) this.goTo(this.begin);
  }

  pause() {
    this.playing = false;
  }

  // One picture on, or while playing a tenth of a second of real time.
  step(pictures) {
    this.goTo(this.t + pictures * this.speed * (this.playing ? 0.1 : 1 / this.fps));
  }

  changeSpeed(factor) {
    this.speed = Math.min(Math.max(this.speed * factor, SLOWEST), FASTEST);
  }

  // The other side of the jump at this time; false if there is none.
  otherSide() {
    if (!this.runs.some((run) => run.isEvent(this.t))) return false;
    this.pause();
    this.before = !this.before;
    return true;
  }
}
