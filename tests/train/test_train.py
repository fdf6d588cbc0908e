"""Training: what it learns, resuming after a kill, and one network for several boards."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch
from tests.docs.test_programs import play_from_the_lobby, program
from tests.server.driving import plain_server

import watermeet as wm
from watermeet.bots.native_network import NativeNetworkSearch
from watermeet.nets.network import Network, Size, split
from watermeet.nets.onnx import OnnxNetwork
from watermeet.nets.packed import suits_bytes
from watermeet.nets.packing import packed_network
from watermeet.nets.shape import common_shape
from watermeet.search.limits import Limits
from watermeet.search.network_search import NetworkSearch
from watermeet.search.settings import Settings
from watermeet.testing.matches import random_match
from watermeet.train.export import export
from watermeet.train.ladder import climb
from watermeet.train.learner import Images
from watermeet.train.quantize import card_of, quantize, sample_positions
from watermeet.train.run import CHECKPOINT, Run
from watermeet.train.settings import TrainSettings

pytestmark = pytest.mark.nightly


def _settings(**changes: object) -> TrainSettings:
    small = dict[str, object](channels=8, blocks=1, matches=16, simulations=4, steps=8, batch=32)
    small |= {"window": 32, "warm_up": 2, "boards": ({"size": 3}, {"size": 5})}
    return TrainSettings("flume", **(small | changes))  # type: ignore[arg-type]


def test_a_small_network_beats_random_play_and_plays_on_a_server(tmp_path: Path) -> None:
    """As the guide does it: docs/guides/train.md."""
    folder = tmp_path / "runs" / "flume"
    command = [sys.executable, "-m", "watermeet", "train", "flume", "-o", "size=5", "--smoke"]
    done = subprocess.run(
        [*command, "--folder", str(folder)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (folder / "curves.svg").read_text(encoding="utf-8").startswith("<svg")
    networks = {"network": folder / "network.onnx"}
    earlier = sorted((folder / "earlier").iterdir())
    assert int(earlier[0].stem) == 0, "the untrained network"
    assert 2 <= len(earlier) <= 7, "on a busy machine a round takes long"
    networks |= {each.stem: each for each in earlier[-2:]}
    report = climb(wm.game("flume", size=5), networks, ["random"], nodes=1, matches=20)
    rows = {row.bot: row for row in report.sections[0].rows}
    assert set(rows) == {*networks, "random"}
    # Against each other they have played too few matches to say which is best.
    assert rows["random"].losses > rows["random"].wins
    minnow = program("guides/train.md", "minnow.py")
    with plain_server(tmp_path) as address:
        said = play_from_the_lobby(f"http://{address}", tmp_path, minnow, "Minnow")
    assert said.startswith("The board is full."), said


def test_a_run_resumes_from_its_checkpoint(tmp_path: Path) -> None:
    run = Run(tmp_path, _settings())
    for _ in range(4):
        run.round()
    run.save()
    (tmp_path / f"{CHECKPOINT}.partial").write_bytes(b"cut off")  # As a kill leaves it.
    again = Run(tmp_path)
    assert again.settings == run.settings
    assert again.progress == run.progress
    assert again.progress.positions == 4 * 8 * 16 * 2
    for name, value in run.network.state_dict().items():
        assert torch.equal(value, again.network.state_dict()[name]), name
    with pytest.raises(wm.InvalidOptions, match="other settings"):
        Run(tmp_path, _settings(channels=4))


def test_a_run_begins_with_the_weights_of_another(tmp_path: Path) -> None:
    first = Run(tmp_path / "first", _settings(channels=8))
    first.save()
    start = str(tmp_path / "first")
    second = Run(tmp_path / "second", _settings(channels=8, blocks=2, seed=1, start=start))
    weights = second.network.state_dict()
    for name, given in first.network.state_dict().items():
        assert torch.equal(weights[name], given), name
    with pytest.raises(wm.InvalidOptions, match="of another size"):
        Run(tmp_path / "third", _settings(channels=16, start=start))


def test_positions_get_the_outcome_of_their_match(tmp_path: Path) -> None:
    run = Run(tmp_path, _settings(boards=({"size": 3},), random_moves=0))
    play = run.plays[0]
    for _ in range(6):
        run.round()
    known = play.known()
    assert len(known) > 32
    found = play.positions(known)
    assert set(found.values.unique().tolist()) == {-1.0, 1.0}
    assert torch.equal(found.values[:, 0], -found.values[:, 1])
    # A position with one free point is decided: the stones on it say by whom.
    game = play.game
    planes = found.features[:, : game.features.spec.plane_size].reshape(-1, 3, 9)
    mine, theirs = planes[:, 0].sum(dim=1), planes[:, 1].sum(dim=1)
    last = mine + theirs == 8
    assert last.sum() > 3
    expected = torch.sign(mine + 1 - theirs)
    assert torch.equal(found.values[last, 0], expected[last])


def test_outcomes_that_are_learnt_by_heart_show_in_new_matches(tmp_path: Path) -> None:
    settings = _settings(boards=({"size": 5},), random_moves=0, reuse=60.0, warm_up=3)
    run = Run(tmp_path, settings)
    for _ in range(5):
        run.round()
    found = run.progress.results
    assert found["new_value_loss"] > found["value_loss"] + 0.3
    assert "new_value_loss" not in run.learner.learn(run.plays, 1.0), "nothing is new"


def test_a_teacher_plays_the_first_rounds(tmp_path: Path) -> None:
    settings = _settings(
        boards=({"size": 5},), random_moves=0, teacher_rounds=2, teacher_simulations=3
    )
    run = Run(tmp_path, settings)
    play = run.plays[0]
    for _ in range(2):
        run.round()
    # An action that was tried once has a quarter: of three simulations, and the best action.
    taught = play.positions(torch.arange(16 * 16)).policy
    assert 0.24 < taught[taught > 0].min() < 0.34
    run.round()
    own = play.positions(torch.arange(16 * 16, 24 * 16)).policy
    assert own[own > 0].min() < 0.15
    run.save()
    assert Run(tmp_path).plays[0]._teacher is None, "it doesn't begin again"


def test_only_legal_actions_are_learnt(tmp_path: Path) -> None:
    run = Run(tmp_path, _settings(boards=({"size": 5},), random_moves=0))
    for _ in range(6):
        run.round()
    play = run.plays[0]
    found = play.positions(play.known())
    images = Images(play.game, "cpu")
    stones = found.features[:, : 2 * 25].sum(dim=1)
    for which in range(8):
        image, is_legal = images.of(found, which)
        assert torch.equal(is_legal[:, :25].sum(dim=1), 25 - stones.long())
        free = image.features[:, :25] + image.features[:, 25:50] == 0
        assert torch.equal(is_legal[:, :25], free)
        assert is_legal.gather(1, image.codes)[image.policy > 0].all()
    # A network that knows nothing need not learn first what is legal.
    with torch.no_grad():
        for parameter in run.network.parameters():
            parameter.zero_()
    loss = run.learner.learn([play], 1.0)["policy_loss"]
    assert loss < is_legal.sum(dim=1).log().mean() + 0.5


def test_one_network_plays_boards_of_all_sizes(tmp_path: Path) -> None:
    run = Run(tmp_path, _settings())
    for _ in range(4):
        run.round()
    run.network.eval()
    file = tmp_path / "network.onnx"
    export(run.network, file, {})
    for size in (3, 5, 9):
        game = wm.game("flume", size=size)
        state = game.start()
        features = game.features.of(state, 0)[None]
        priors, values = OnnxNetwork(game, file)(features)
        assert priors.shape == (1, game.features.spec.codes)
        planes, numbers = game.features.spec.split(features)
        with torch.no_grad():
            logits, value = run.network(torch.tensor(planes), torch.tensor(numbers))
        expected = torch.softmax(logits, dim=1).numpy()
        assert np.allclose(priors / priors.sum(), expected, atol=1e-4)
        assert np.allclose(values, value.numpy(), atol=1e-4)
    with pytest.raises(wm.InvalidOptions, match="isn't one for"):
        OnnxNetwork(wm.game("flecks", size=5), file)


@pytest.mark.parametrize("name", ["flecks", "flow", "flows"])
def test_native_code_searches_as_onnxruntime_does(tmp_path: Path, name: str) -> None:
    """Also where something is hidden, with chance, and with channels that fill no vectors."""
    torch.manual_seed(1)
    game = wm.game(name)
    network = Network(common_shape([game]), Size(24, 1)).eval()
    for each in network.parameters():
        each.data += 0.05 * torch.randn_like(each)
    file, small = tmp_path / "network.onnx", tmp_path / "small.onnx"
    settings = TrainSettings(name, boards=({},), channels=24, blocks=1)
    export(network, file, {"settings": settings.to_dict()})
    quantize(file, small, positions=20)
    assert packed_network(file) is None  # It isn't quantized.
    packed = packed_network(small)
    assert packed is not None
    content = packed[1]
    assert suits_bytes(content, game)
    searched, rng = Settings(evaluation_weight=0.25), random.Random(2)
    state = random_match(game, rng).states[9]
    while state.to_move < 0:
        state = state.play(rng.choice(state.legal_actions))
    results = [
        search.search(state, Limits(nodes=300))
        for search in (
            NativeNetworkSearch(game, content, searched),
            NetworkSearch(game, OnnxNetwork(game, small), searched, leaves=1),
        )
    ]
    priors = [{each.action: each.prior for each in found.candidates} for found in results]
    assert priors[0] == pytest.approx(priors[1], abs=0.01)
    assert len({round(each, 4) for each in priors[0].values()}) > 2, "it has an opinion"
    assert [found.nodes for found in results] == [300, 300]
    assert results[0].value == pytest.approx(results[1].value, abs=0.05)


def _assert_training_begins_with(file: Path, folder: Path, error: float) -> None:
    """What a new run's network says is what the file says, also while it learns."""
    run = Run(folder, _settings(channels=16, blocks=2, seed=5, start=str(file)))
    game = wm.game("flume", size=5)
    samples = sample_positions(game, OnnxNetwork(game, file), 200, 0)
    features = np.array([each.features for each in samples])
    expected = OnnxNetwork(game, file)(features)[1]
    inputs = split(torch.from_numpy(features), game.features.spec.shape, torch.float32)
    for mode, most in ((False, error), (True, 0.05)):
        with torch.no_grad():
            values = run.network.train(mode)(*inputs)[1].numpy()
        assert np.abs(values - expected).mean() < most


def test_a_quantized_network_hardly_differs(tmp_path: Path) -> None:
    run = Run(tmp_path, _settings(channels=16, blocks=2))
    file, small = tmp_path / "network.onnx", tmp_path / "small.onnx"
    export(run.network, file, {"settings": run.settings.to_dict()})
    with pytest.raises(wm.InvalidOptions, match="hasn't learnt anything"):
        quantize(file, small)
    for _ in range(4):
        run.round()
    export(run.network, file, {"settings": run.settings.to_dict()})
    found = quantize(file, small, positions=60)
    assert found.positions == 120
    assert found.same_best > 0.8
    assert found.lost_prior < 0.02
    assert 0.0 < found.value_error < 0.05  # With other weights, it would be 0.
    assert small.stat().st_size < 0.7 * file.stat().st_size
    card = card_of(small)
    assert card["settings"]["game"] == "flume"
    for each, error in ((file, 1e-4), (small, 0.03)):
        _assert_training_begins_with(each, tmp_path / each.stem, error)
    assert card["quantized"]["positions"] == 120
    model = onnx.load(file)
    del model.metadata_props[:]
    onnx.save(model, file)
    with pytest.raises(wm.InvalidOptions, match="isn't from watermeet train"):
        card_of(file)
