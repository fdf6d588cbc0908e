"""Every registered game as a reinforcement-learning environment (the extra ``envs``).

| module | for | id |
| --- | --- | --- |
| ``pettingzoo`` | PettingZoo, AEC or parallel | ``watermeet/NAME-vVERSION`` |
| ``gymnasium`` | Gymnasium, one learner against bots or in self-play | the same |
| ``vector`` | Gymnasium's vector API, on top of ``VectorGame`` | the same, with ``make_vec`` |
| ``stable_baselines3`` | Stable-Baselines3's ``VecEnv`` | by name |
| ``openspiel`` | OpenSpiel | ``watermeet_NAME_vVERSION`` |

All of them number actions by their codes (``watermeet.core.features``). No module knows any game:
features, masks, pictures and options come from the game's declaration.
"""
