// The ground: squares in two colours, computed in the shader so that far ones do not flicker, on a plane or on terrain.

const REACH = 11; // distance to which level ground is drawn, in camera distances
const TERRAIN_REACH = 3.4;
const BRIGHTNESS = 0.9; // of its colours in the sun, as in the window
const FADE_START = 0.35; // share of the reach at which it begins to fade

// The material of ground; `offset` is its own origin among the squares.
function checkered(ground, reach) {
  const material = new THREE.MeshPhongMaterial({ transparent: true, specular: 0, side: THREE.DoubleSide });
  const uniforms = {
    checker: { value: ground.checker },
    offset: { value: new THREE.Vector2() },
    centre: { value: new THREE.Vector2() },
    reach: { value: reach },
    first: { value: new THREE.Color(ground.colours[0]) },
    second: { value: new THREE.Color(ground.colours[1]) },
  };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "#include <common>\nvarying vec2 place;")
      .replace("#include <begin_vertex>", "#include <begin_vertex>\nplace = position.xy;");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", `#include <common>
        varying vec2 place;
        uniform float checker, reach;
        uniform vec2 offset, centre;
        uniform vec3 first, second;`)
      .replace("#include <color_fragment>", `
        vec2 square = (place + offset) / checker, width = fwidth(square) + 1e-4;
        vec2 sides = 2.0 * (abs(fract((square - 0.5 * width) * 0.5) - 0.5)
          - abs(fract((square + 0.5 * width) * 0.5) - 0.5)) / width;
        diffuseColor.rgb = ${BRIGHTNESS} * mix(first, second, 0.5 - 0.5 * sides.x * sides.y);
        diffuseColor.a *= 1.0 - smoothstep(${FADE_START} * reach, reach, length(place - centre));`);
  };
  material.uniforms = uniforms;
  return material;
}

const remainder = (value, period) => value - period * Math.floor(value / period);

// Level ground, which follows the camera's target by whole squares.
class Plane {
  constructor(ground, distance) {
    this.height = ground.height;
    this.period = 2 * ground.checker;
    const side = 2 * (REACH * distance + this.period);
    this.mesh = new THREE.Mesh(new THREE.PlaneGeometry(side, side), checkered(ground, REACH * distance));
    this.mesh.receiveShadow = true;
    this.mesh.renderOrder = -1;
  }

  follow(target) {
    const corner = [target.x, target.y].map((value) => this.period * Math.floor(value / this.period));
    this.mesh.position.set(...corner, this.height);
    this.mesh.material.uniforms.centre.value.set(target.x - corner[0], target.y - corner[1]);
  }
}

// Terrain: a tile for each square of heights that has come.
class Terrain {
  constructor(ground, distance) {
    this.ground = ground;
    this.reach = TERRAIN_REACH * distance;
    this.mesh = new THREE.Group();
    this.tiles = [];
  }

  add(tile) {
    const corner = [tile.x[0], tile.y[0]], material = checkered(this.ground, this.reach);
    material.uniforms.offset.value.set(...corner.map((value) => remainder(value, 2 * this.ground.checker)));
    const mesh = new THREE.Mesh(tileGeometry(tile, corner), material);
    mesh.position.set(...corner, 0);
    mesh.receiveShadow = true;
    mesh.renderOrder = -1;
    this.mesh.add(mesh);
    this.tiles.push(mesh);
    if (tile.edges.length) {
      const lines = new THREE.LineSegments(edgeLines(tile, corner), new THREE.LineBasicMaterial({ color: "#8a929b" }));
      lines.position.copy(mesh.position);
      this.mesh.add(lines);
    }
  }

  follow(target) {
    for (const mesh of this.tiles) {
      mesh.material.uniforms.centre.value.set(target.x - mesh.position.x, target.y - mesh.position.y);
    }
  }
}

// The surface of a tile. The two heights of an edge are two points nearly above each other: the wall between them hardly
// counts in the normals, which are weighted by areas seen from above.
function tileGeometry({ x, y, heights }, corner) {
  const points = [], normals = new Float32Array(3 * x.length * y.length), indices = [];
  x.forEach((xi, i) => y.forEach((yk, k) => points.push(xi - corner[0], yk - corner[1], heights[i * y.length + k])));
  for (let i = 0; i + 1 < x.length; i++) {
    for (let k = 0; k + 1 < y.length; k++) {
      const a = i * y.length + k, b = a + y.length;
      indices.push(a, b, b + 1, a, b + 1, a + 1);
      const width = x[i + 1] - x[i], depth = y[k + 1] - y[k];
      const slopeX = (heights[b] + heights[b + 1] - heights[a] - heights[a + 1]) / (2 * width);
      const slopeY = (heights[a + 1] + heights[b + 1] - heights[a] - heights[b]) / (2 * depth);
      const weight = Math.abs(slopeY) > 50 ? 0 : width * depth;
      for (const corner of [a, b, b + 1, a + 1]) {
        normals[3 * corner] -= weight * slopeX;
        normals[3 * corner + 1] -= weight * slopeY;
        normals[3 * corner + 2] += weight;
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  geometry.setAttribute("normal", new THREE.BufferAttribute(normals, 3));
  geometry.setIndex(indices);
  geometry.normalizeNormals();
  return geometry;
}

function edgeLines({ x, y, edges, heights }, corner) {
  const points = [];
  for (const edge of edges) {
    const above = y.findIndex((value) => value > edge);
    for (let i = 0; i + 1 < x.length; i++) {
      for (const end of [i, i + 1]) {
        const height = Math.max(heights[end * y.length + above], heights[end * y.length + above - 1]);
        points.push(x[end] - corner[0], edge - corner[1], height + 1e-3);
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
  return geometry;
}

export function makeGround(ground, distance) {
  return ground.height === null ? new Terrain(ground, distance) : new Plane(ground, distance);
}
