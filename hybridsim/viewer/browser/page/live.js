// The connection to hybridsim, where a run is computed or read while it is shown.

const REPORT_INTERVAL = 100; // milliseconds between reports of the time that is shown

export class Connection {
  // `receive` has a function for each type of message; `piece(bytes)` takes those of runs.
  constructor(receive) {
    const address = new URL("ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    address.hash = "";
    this.socket = new WebSocket(address);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = ({ data }) => {
      if (typeof data !== "string") return receive.piece(new Uint8Array(data));
      const message = JSON.parse(data);
      return receive[message.type]?.(message);
    };
    this.socket.onclose = () => {
      clearInterval(this.reporting);
      receive.closed();
    };
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  // Reports time and speed of a player from now on, so that the run is computed ahead of it; `epoch` is the run's number.
  report(player, epoch) {
    clearInterval(this.reporting);
    this.tell = () => {
      this.send({ type: "at", epoch, t: player.start ?? player.t, speed: player.speed, playing: player.playing && !document.hidden });
    };
    this.reporting = setInterval(this.tell, REPORT_INTERVAL);
  }
}

// A push by the mouse on a body of the first run: the way of the drag goes to hybridsim, which makes a force of it.
export class Pusher {
  constructor(stage, run, player, connection, refuse) {
    Object.assign(this, { stage, run, player, connection, refuse });
    this.way = null;
  }

  begin(x, y) {
    const { pushes, model } = this.run.head;
    if (!this.connection || this.run.finished) return this.refuse("A body can be pushed only while its run is computed.");
    if (!pushes.length) return this.refuse(`${model}: no inputs of this model are a force on a body.`);
    const { panel, point } = this.stage.panelAt(x, y);
    const body = this.stage.bodyAt(panel, point, pushes.map((push) => push.body));
    if (body === null) {
      const names = pushes.map((push) => this.run.head.bodies[push.body].name);
      return this.refuse(`There is no body here that can be pushed; drag from ${names.join(", ")}.`);
    }
    Object.assign(this, { panel, body, from: point, to: point, push: pushes.find((push) => push.body === body) });
    this.player.goTo(this.player.end);
    this.connection.tell(); // so that the run goes on from there
    this.way = new THREE.Vector3();
    return true;
  }

  move(x, y) {
    this.to = this.stage.panelAt(x, y)?.point ?? this.to;
  }

  end() {
    this.way = null;
    this.panel.showPush(null, null);
    this.connection.send({ type: "release" });
  }

  // Sends the way dragged so far; both its ends are in the plane of the picture through the body's origin.
  apply() {
    if (!this.way) return;
    const pose = new Float64Array(10);
    this.run.pose(this.body, this.player.t, false, pose);
    const sight = this.panel.camera.target.clone().sub(this.panel.camera.eye).normalize();
    const at = (point) => {
      const { origin, direction } = this.stage.ray(this.panel, point).ray;
      const depth = new THREE.Vector3(pose[0], pose[1], pose[2]).sub(origin).dot(sight);
      return direction.clone().multiplyScalar(depth / direction.dot(sight)).add(origin);
    };
    this.way = at(this.to).sub(at(this.from));
    this.panel.showPush(new THREE.Vector3(pose[0], pose[1], pose[2]), this.way);
    this.connection.send({ type: "push", body: this.body, way: this.way.toArray() });
  }
}
