"""The learner: makes the network's policy that of the search, and its values the outcomes."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from watermeet.core.game import Game
from watermeet.nets.network import Network, split
from watermeet.nets.shape import logit_places
from watermeet.train.self_play import Positions, SelfPlay, unpack
from watermeet.train.settings import TrainSettings

ILLEGAL = -1e9
"""The logit of actions that aren't legal: nothing, but a finite number."""


class Images:
    """The symmetries of a board, to learn from a position's images as well."""

    def __init__(self, game: Game, device: str) -> None:
        symmetries = game.features.symmetries
        sources = [each.features.argsort() for each in symmetries]
        self._sources = [torch.as_tensor(each, device=device) for each in sources]
        self._codes = [torch.as_tensor(each.codes, device=device).long() for each in symmetries]
        self._origins = [each.argsort() for each in self._codes]

    def of(self, positions: Positions, which: int) -> tuple[Positions, Tensor]:
        """The images of some positions by one of the symmetries, and the masks of legal codes."""
        index = which % len(self._sources)
        images = positions._replace(
            features=positions.features[:, self._sources[index]],
            codes=self._codes[index][positions.codes],
        )
        origins = self._origins[index]
        return images, unpack(positions.legal, len(origins))[:, origins]


class Learner:
    """A network and the optimizer that improves it."""

    def __init__(self, network: Network, settings: TrainSettings) -> None:
        self.network, self._settings = network, settings
        self.optimizer = torch.optim.AdamW(
            network.parameters(), settings.learning_rate, weight_decay=settings.weight_decay
        )
        self._rng = torch.Generator().manual_seed(settings.seed)
        self._places: dict[Game, Any] = {}
        self._images: dict[Game, Images] = {}

    def learn(self, plays: list[SelfPlay], rate: float) -> dict[str, float]:
        """Go through as many positions of each board as it has got new ones; the mean losses."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate * self._settings.learning_rate
        losses: list[Tensor] = []
        settings, new = self._settings, self._test(plays)
        self.network.train()
        batches = max(1, round(settings.reuse * settings.steps * settings.matches / settings.batch))
        known = [play.known() for play in plays]
        for _ in range(batches):
            for play, numbers in zip(plays, known, strict=True):
                if len(numbers) >= settings.batch:
                    chosen = torch.randint(len(numbers), (settings.batch,), generator=self._rng)
                    losses.append(self._step(play, numbers[chosen.to(numbers.device)]))
        if not losses:
            return new
        policy, value, certainty = torch.stack(losses).mean(dim=0).tolist()
        return {
            "policy_loss": policy, "value_loss": value, "target_entropy": certainty, **new
        }  # fmt: skip

    def _test(self, plays: list[SelfPlay]) -> dict[str, float]:
        """The value loss in matches that it hasn't learnt from yet, if there are any.

        All positions of a match have the same outcome, and a network can learn it by heart.
        """
        self.network.eval()
        losses = []
        for play in plays:
            numbers = play.new()
            if len(numbers):
                chosen = torch.randperm(len(numbers), generator=self._rng)[: self._settings.batch]
                with torch.no_grad():
                    losses.append(self._losses(play, numbers[chosen.to(numbers.device)])[1])
        return {"new_value_loss": float(torch.stack(losses).mean())} if losses else {}

    def _step(self, play: SelfPlay, numbers: Tensor) -> Tensor:
        """Learn from some positions; the losses of policy and value, and the target's entropy."""
        policy_loss, value_loss, entropy = self._losses(play, numbers)
        self.optimizer.zero_grad(set_to_none=True)
        (policy_loss + value_loss).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        return torch.stack([policy_loss.detach(), value_loss.detach(), entropy])

    def _losses(self, play: SelfPlay, numbers: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The losses of policy and value in some positions, and the target's entropy."""
        game, device = play.game, self._settings.device
        if game not in self._images:
            self._images[game] = Images(game, device)
            self._places[game] = torch.as_tensor(logit_places(game), device=device)
        which = int(torch.randint(1 << 30, (1,), generator=self._rng))
        positions, is_legal = self._images[game].of(play.positions(numbers), which)
        planes, features = split(positions.features, game.features.spec.shape, torch.float32)
        if device == "cuda":
            planes = planes.contiguous(memory_format=torch.channels_last)
        with torch.autocast("cuda", torch.bfloat16, enabled=device == "cuda"):
            logits, values = self.network(planes, features)
        # What isn't legal is no concern of the network: searches ask for legal actions alone.
        # Brackets would do the same, but take more than twice as long to go backward.
        chosen = logits.float().index_select(1, self._places[game])
        allowed = chosen.masked_fill(~is_legal, ILLEGAL)
        logs = torch.log_softmax(allowed, dim=1)
        target = positions.policy / positions.policy.sum(dim=1, keepdim=True).clamp_min(1e-6)
        policy_loss = -(target * logs.gather(1, positions.codes)).sum(dim=1).mean()
        value_loss = (values.float() - positions.values).square().mean()
        entropy = -(target * target.clamp_min(1e-9).log()).sum(dim=1).mean()
        return policy_loss, value_loss, entropy
