"""One scale of strength: the ratings that explain the scores of all matches best.

A match says how far two players are apart, the more exactly the more games it has. The ratings are
fitted to all of them at once by weighted least squares, so that a player is placed by everything it
played, and by what its opponents played. A player that no chain of matches joins to the anchor has
no place on the scale.

The anchor, which never changes, is where the scale begins; errors are told against another player, the
one that people ask about. Against an anchor far below, all of them would be alike: the error of the way
up there.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from common import Elo, Trouble, expected

SLOPE = math.log(10) / 400
# Every player is taken to have drawn this many games against an opponent of the anchor's strength,
# so that a score of 100 % does not mean an infinite rating.
PRIOR_GAMES = 1.0


@dataclass(frozen=True)
class Match:
    """A score from 0 to 1 of so many games, and its error at 95 % confidence in Elo, if known."""

    first: str
    second: str
    games: int
    score: float
    error: float | None


def joined(matches: Iterable[Match], anchor: str) -> list[Match]:
    """The matches of players that a chain of matches joins to the anchor."""
    left, known = list(matches), {anchor}
    while new := {name for match in left if known & {match.first, match.second}
                  for name in (match.first, match.second)} - known:  # fmt: skip
        known |= new
    return [match for match in left if match.first in known]


def weight(match: Match) -> float:
    """The inverse of the score's variance."""
    slope = SLOPE * max(match.score * (1 - match.score), 1e-3)
    if match.error:
        return (1.96 / (match.error * slope)) ** 2
    # A draw in three games, as a guess where only the score is left.
    return match.games / max(match.score * (1 - match.score) - 1 / 12, 0.02)


def fit(matches: Iterable[Match], anchor: str, compared: str) -> dict[str, Elo]:
    """The ratings in Elo above the anchor's, with their errors at 95 % confidence against the one that
    they are compared with."""
    matches = joined(matches, anchor)
    names = sorted({name for match in matches for name in (match.first, match.second)} - {anchor})
    place = {name: index for index, name in enumerate(names)}
    ratings = [0.0] * len(names)
    covariance: list[list[float]] = []
    for _ in range(100):
        normal = [[0.0] * len(names) for _ in names]
        right = [0.0] * len(names)
        for index, rating in enumerate(ratings):
            slope = SLOPE * expected(rating) * (1 - expected(rating))
            normal[index][index] += PRIOR_GAMES * 4 * slope**2
            right[index] += PRIOR_GAMES * 4 * slope * (0.5 - expected(rating))
        for match in matches:
            ends = [(place[name], sign) for name, sign in ((match.first, 1), (match.second, -1)) if name != anchor]
            guess = expected(sum(sign * ratings[index] for index, sign in ends))
            slope, pull = SLOPE * guess * (1 - guess), weight(match)
            for index, sign in ends:
                right[index] += pull * slope * sign * (match.score - guess)
                for other, other_sign in ends:
                    normal[index][other] += pull * slope**2 * sign * other_sign
        covariance = inverse(normal)
        steps = [sum(cell * value for cell, value in zip(row, right, strict=True)) for row in covariance]
        # Far from the answer the score says little of the difference: no giant strides.
        ratings = [rating + max(-200.0, min(200.0, step)) for rating, step in zip(ratings, steps, strict=True)]
        if max(map(abs, steps), default=0) < 0.01:
            break
    # The anchor's place is certain.
    places = place | {anchor: len(names)}
    ratings.append(0.0)
    covariance = [[*row, 0.0] for row in covariance] + [[0.0] * len(places)]
    if compared not in places:
        raise Trouble(f"no match joins {compared} to {anchor}")
    own = places[compared]

    def error(at: int) -> float:
        variance = covariance[at][at] + covariance[own][own] - 2 * covariance[at][own]
        return 1.96 * math.sqrt(max(variance, 0.0))

    return {name: Elo(ratings[at], error(at)) for name, at in places.items()}


def inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse of a symmetric, positive definite matrix, by Gauss and Jordan."""
    size = len(matrix)
    rows = [row[:] + [float(index == column) for column in range(size)] for index, row in enumerate(matrix)]
    for pivot in range(size):
        rows[pivot] = [cell / rows[pivot][pivot] for cell in rows[pivot]]
        for index in range(size):
            if index != pivot and (factor := rows[index][pivot]):
                rows[index] = [cell - factor * base for cell, base in zip(rows[index], rows[pivot], strict=True)]
    return [row[size:] for row in rows]
