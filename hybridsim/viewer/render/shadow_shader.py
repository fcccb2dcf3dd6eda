"""Shadows as part of the program with which the ground is drawn: each of its pixels computes how dark it is.

So shadows lie on every terrain, at steps and walls, too, wherever the points of the drawn surface are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from hybridsim.typing import FloatArray

MAX_SHADOWS = 112
"""Most shadows on a ground: graphics processors have room for the numbers of so many."""
SHADOWS, REGION = "groundShadows", "groundShadowRegion"
"""Names in the program: matrices of two shadows each, and a rectangle around all of them."""
NO_SHIFT_OR_SCALE = 0
"""VTK's constant for points that reach the program as they are."""

VERTEX_DECLARATION, VERTEX = "out vec3 groundPlace;", "groundPlace = vertexMC.xyz;"
FRAGMENT_DECLARATION = """
in vec3 groundPlace;
float lightBelow(vec4 body, vec4 ellipse)
{
  vec3 d = groundPlace - body.xyz;
  float inside = max(1.0 - dot(vec3(d.x * d.x, d.x * d.y, d.y * d.y), ellipse.xyz), 0.0);
  float covered = clamp(0.5 - d.z * ellipse.w, 0.0, 1.0);
  return 1.0 - body.w * covered * inside * inside;
}
"""
FRAGMENT = f"""
  bool inRegion = all(greaterThan(groundPlace.xy, {REGION}.xy)) && all(lessThan(groundPlace.xy, {REGION}.zw));
  for (int i = inRegion ? 0 : {SHADOWS}.length(); i < {SHADOWS}.length(); ++i)
    gl_FragData[0].rgb *= lightBelow({SHADOWS}[i][0], {SHADOWS}[i][1]) * lightBelow({SHADOWS}[i][2], {SHADOWS}[i][3]);
"""
"""OpenGL's shading language; VTK's own code writes the colour gl_FragData[0] before. Software that stands in for a
graphics processor skips loops, but no conditional statements: so `inRegion` is asked in the loop."""


class ShadowShader:
    """The shadows on one ground, of the bodies of all runs above it.

    Parameters
    ----------
    actor : Actor
        The ground; the origin of its surface is where the actor stands.
    """

    def __init__(self, actor: Any) -> None:
        self._actor = actor
        self._shadows, self._corners = np.zeros((0, 2, 4)), np.zeros((0, 2, 2))

    def add(self, count: int) -> slice:
        """Make room for shadows; return the indices of those that have found room."""
        if not len(self._shadows):
            self._write_program()
        first = len(self._shadows)
        last = min(first + count, MAX_SHADOWS)
        self._shadows, self._corners = np.zeros((last, 2, 4)), np.tile([[[np.inf], [-np.inf]]], (last, 1, 2))
        self._send()  # the program needs values before its first picture
        return slice(first, last)

    def put(self, indices: slice, shadows: FloatArray, corners: FloatArray) -> None:
        """Move shadows.

        Parameters
        ----------
        indices : slice
            Indices of the shadows, as of `add`.
        shadows : (n, 2, 4) array
            Of each shadow: x, y, z of the centre of its body [m] and its darkness, from 0 to 1; the factors of dx^2,
            dx dy and dy^2 in the equation of its ellipse [1/m^2], and one over the height of its body [1/m].
        corners : (n, 2, 2) array
            Lower left and upper right corner of a rectangle around each shadow [m].
        """
        n = indices.stop - indices.start
        self._shadows[indices], self._corners[indices] = shadows[:n], corners[:n]
        self._send()

    def _send(self) -> None:
        """Hand the shadows to the program, in the coordinates of the ground's surface."""
        origin = np.array(self._actor.GetPosition())
        pairs = np.zeros((-(-len(self._shadows) // 2), 2, 2, 4))
        shadows = pairs.reshape(-1, 2, 4)[: len(self._shadows)]
        shadows[:] = self._shadows
        shadows[:, 0, :3] -= origin
        region = [*(self._corners[:, 0].min(axis=0) - origin[:2]), *(self._corners[:, 1].max(axis=0) - origin[:2])]
        uniforms = self._actor.GetShaderProperty().GetFragmentCustomUniforms()
        uniforms.SetUniformMatrix4x4v(SHADOWS, len(pairs), pairs.ravel().tolist())
        uniforms.SetUniform4f(REGION, region)

    def _write_program(self) -> None:
        self._actor.GetMapper().SetVBOShiftScaleMethod(NO_SHIFT_OR_SCALE)
        program = self._actor.GetShaderProperty()
        for add, place, code in (
            (program.AddVertexShaderReplacement, "//VTK::PositionVC::Dec", VERTEX_DECLARATION),
            (program.AddVertexShaderReplacement, "//VTK::PositionVC::Impl", VERTEX),
            (program.AddFragmentShaderReplacement, "//VTK::PositionVC::Dec", FRAGMENT_DECLARATION),
            (program.AddFragmentShaderReplacement, "//VTK::TCoord::Impl", FRAGMENT),
        ):
            add(place, True, f"{place}\n{code}\n", False)
