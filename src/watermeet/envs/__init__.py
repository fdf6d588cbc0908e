"""Every registered game as an environment of other ecosystems (the extra ``envs``).

| module | for | id |
| --- | --- | --- |
| ``zoo`` | PettingZoo, turn by turn, or in its parallel form | ``watermeet/NAME-vVERSION`` |
| ``single`` | Gymnasium, one learner against bots or against itself | the same |
| ``vector`` | Gymnasium's vector interface, over ``VectorGame`` | the same, by ``make_vec`` |
| ``spiel`` | OpenSpiel | ``watermeet_NAME_vVERSION`` |

No module knows any game: features, masks, pictures and options come from what a game declares.
"""
