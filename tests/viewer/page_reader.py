"""Reads a page as its JavaScript does, but in Python and from the description of the format alone."""

import base64
import gzip
import json
import re
import struct
from bisect import bisect_left, bisect_right

import numpy as np


def read_page(path):
    """Return the header of a page and its runs."""
    text = path.read_text(encoding="utf-8")
    header = json.loads(re.search(r'id="header">(.*?)</script>', text, re.DOTALL)[1])
    data = gzip.decompress(base64.b64decode(re.search(r'id="data">(.*?)</script>', text, re.DOTALL)[1]))
    pieces, place = [], 0
    while place < len(data):
        (length,) = struct.unpack_from("<I", data, place)
        pieces.append(ReadRun(data[place + 4 : place + 4 + length]))
        place += 4 + length
    return header, pieces


class ReadRun:
    """One piece of a run."""

    def __init__(self, data):
        (length,) = struct.unpack_from("<I", data, 0)
        self.head, self._data, self._place = json.loads(data[4 : 4 + length]), data, 4 + length
        self.t = self._take("<f8", self.head["keys"])
        types = {"t": "<f8", "kind": "<u2", "text": "<u2", "chart": "<u2", "j": "<u4"}
        self.events = {name: self._take(kind, self.head["events"]) for name, kind in types.items()}
        counts = self.head["counts"]
        steps, numbers = self._take("<u4", sum(counts)), self._take("<u4", 10 * sum(counts)).astype(np.int64)
        numbers = np.where(numbers % 2, -(numbers + 1) // 2, numbers // 2)
        self.bodies, first = [], 0
        for count, units in zip(counts, self.head["units"], strict=True):
            t = self.t[np.cumsum(steps[first : first + count])]
            whole = np.cumsum(numbers[10 * first : 10 * (first + count)].reshape(10, count), axis=1).T
            self.bodies.append((t, whole * 2.0 ** np.repeat(units, (3, 4, 3))))
            first += count
        self._carried = {body: (carrier, pose) for body, carrier, *pose in self.head["carried"]}

    def _take(self, kind, count):
        size = np.dtype(kind).itemsize
        planes = np.frombuffer(self._data, np.uint8, count * size, self._place).reshape(size, count)
        self._place += count * size
        return np.ascontiguousarray(planes.T).view(kind).ravel()

    def pose(self, body, t, before=False):
        """Return the transform of a body at a time, on one side of a jump; None while it is hidden."""
        if body in self._carried:
            carrier, pose = self._carried[body]
            return matrix_of(self._numbers(carrier, t, before), scaled=False) @ matrix_of(pose)
        numbers = self._numbers(body, t, before)
        return matrix_of(numbers) if numbers[9] else None

    def _numbers(self, body, t, before):
        times, poses = self.bodies[body]
        i = max((bisect_left if before else bisect_right)(times, t) - 1, 0)
        share = 0.0 if i + 1 == len(times) or t <= times[i] else (t - times[i]) / (times[i + 1] - times[i])
        i, share = (i + 1, 0.0) if share >= 1.0 else (i, share)
        after = poses[i + 1] if share and poses[i][9] and poses[i + 1][9] else poses[i]
        return (1.0 - share) * poses[i] + share * after


def matrix_of(pose, scaled=True):
    """Return the transform (4, 4) of position, quaternion (w, x, y, z) and scale."""
    x, y, z = np.asarray(pose[4:7]) / np.linalg.norm(pose[3:7])
    w = pose[3] / np.linalg.norm(pose[3:7])
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn * (np.asarray(pose[7:10]) if scaled else 1.0), pose[:3]
    return matrix
