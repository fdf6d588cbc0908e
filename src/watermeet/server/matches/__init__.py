"""A match on the platform: seats, clocks, offers and the log. Pure, except for ``service``.

| module | contents |
| --- | --- |
| setup | what a match is created with |
| entries | the log's entries and their text |
| clocks, match | Match: everything that follows from a log |
| commands, decide | what is asked of a match, and what it leads to |
| seating, writer, results | parts of decide: before the start; writing entries; the end |
| timing, absence, offers | when time runs out; who is away; agreements and undo |
| randomness, audit | chance outcomes that can be verified |
| projection | what a seat is sent |
| records | a match as a record and back |
| service | Matches: where commands meet the log, the store and the bus |
"""
