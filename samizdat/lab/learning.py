"""How a network learns from games that it played against itself: proximal policy optimisation, in NumPy.

Each decision is held against what the network expected before it (its own forecast, a few decisions later and at the
end of the game); what went better becomes likelier, what went worse less so, never by much at once. An even mixture
pulls on every decision a little: without it, play with hidden choices runs in circles, and whoever plays otherwise
than the network is met unprepared.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from samizdat.bots.network import Shape, forecast, forward, policy
from samizdat.kernel.tensors import Floats

CLIP = 0.2  # how far the chance of a decision may move in one iteration
FORECAST = 0.5  # the weight of the forecast's loss beside the policy's
STEEPEST = 0.5  # the longest gradient that is followed as it is
BETA1, BETA2, TINY = 0.9, 0.999, 1e-7  # Adam
MINIBATCH = 4096
EPOCHS = 2
RATE = 1e-3
EVEN = 0.03  # the pull of the even mixture at the beginning
EVEN_STILL = 0.6  # of it, how much stays
HALVED = 12_000_000  # decisions after which the rate is half of what it was at the beginning; so would the pull be
AVERAGED = 0.998  # of the average of all networks, how much stays with each step
BARELY = 1e-8


class Lessons(NamedTuple):
    """Decisions to learn from, a row each."""

    x: Floats  # what the network saw
    masks: npt.NDArray[np.int8]  # what was open
    chosen: npt.NDArray[np.int64]
    chances: Floats  # of what was chosen, when it was
    better: Floats  # than expected, for the seat that chose
    ends: Floats  # who won, as far as was known later


class Learner:
    """A network's numbers, and what learning them needs to remember."""

    def __init__(self, shape: Shape, numbers: Floats) -> None:
        self.shape = shape
        self.numbers = numbers
        self.average = numbers.copy()
        self.momentum, self.spread = np.zeros_like(numbers), np.zeros_like(numbers)
        self.updates = 0
        self.gradient = np.zeros_like(numbers)

    def learn(self, lessons: Lessons, rng: np.random.Generator, steps: int) -> tuple[float, float]:
        """Go through the lessons; how evenly the policy chooses (in nats) and how badly it forecast, on the mean."""
        fade = 1 / (1 + steps / HALVED)
        pull = EVEN * max(fade, EVEN_STILL)
        better = lessons.better
        better = (better - better.mean()) / (better.std() + BARELY)
        evenness, losses = [], []
        for _ in range(EPOCHS):
            order = rng.permutation(len(better))
            for part in np.array_split(order, max(1, len(order) // MINIBATCH)):
                even, loss = self._grade(lessons, better, part, pull)
                self._step(RATE * fade)
                evenness.append(even)
                losses.append(loss)
        return float(np.mean(evenness)), float(np.mean(losses))

    def _grade(
        self, lessons: Lessons, better: Floats, part: npt.NDArray[np.int64], pull: float
    ) -> tuple[float, float]:
        """The gradient of the loss over a part of the lessons, into `gradient`."""
        moves, n = self.shape.moves, len(part)
        parts, slopes = self.shape.parts(self.numbers), self.shape.parts(self.gradient)
        x, chosen, gain, ends = lessons.x[part], lessons.chosen[part], better[part], lessons.ends[part]
        first, second, out = forward(parts, x)
        chances, expected = policy(out, lessons.masks[part], moves), forecast(out, moves)
        rows = np.arange(n)
        ratio = chances[rows, chosen] / lessons.chances[part]
        held = np.where(gain >= 0, ratio > 1 + CLIP, ratio < 1 - CLIP)
        logs = np.log(chances + BARELY)
        even = -(chances * logs).sum(axis=1)
        back = np.empty_like(out)
        # d loss / d numbers of the policy: the gain of what was chosen, and the pull of the even mixture
        slope = np.where(held, 0, -gain * ratio)[:, None]
        back[:, :moves] = -slope * chances + pull * chances * (logs + even[:, None])
        back[rows, chosen] += slope[:, 0]
        back[:, moves:] = FORECAST * (expected - ends)
        back /= n
        slopes[4][:], slopes[5][:] = second.T @ back, back.sum(axis=0)
        back = (back @ parts[4].T) * (second > 0)
        slopes[2][:], slopes[3][:] = first.T @ back, back.sum(axis=0)
        back = (back @ parts[2].T) * (first > 0)
        slopes[0][:], slopes[1][:] = x.T @ back, back.sum(axis=0)
        return float(even.mean()), float(-(ends * np.log(expected + BARELY)).sum(axis=1).mean())

    def _step(self, rate: float) -> None:
        """Adam, in place."""
        g = self.gradient
        steep = float(np.sqrt(np.dot(g, g)))
        if steep > STEEPEST:
            g *= np.float32(STEEPEST / steep)
        self.updates += 1
        self.momentum += np.float32(1 - BETA1) * (g - self.momentum)
        self.spread += np.float32(1 - BETA2) * (g * g - self.spread)
        fast = np.float32(rate * np.sqrt(1 - BETA2**self.updates) / (1 - BETA1**self.updates))
        self.numbers -= fast * self.momentum / (np.sqrt(self.spread) + np.float32(TINY))
        self.average += np.float32(1 - min(AVERAGED, self.updates / (10 + self.updates))) * (
            self.numbers - self.average
        )
