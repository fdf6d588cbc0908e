"""A match as the platform knows it: seats, clocks, offers and the log. Pure: no input or output.

| module | what lives there |
| --- | --- |
| entries | what a log is made of, and its text |
| match | Match: all that follows from a log |
| commands, decide | what is asked, and what becomes of it |
| seating, writer, results | parts of decide: the beginning; writing; the end |
| timing, absence, offers | clocks; who is away; agreements and the law of taking back |
| randomness, audit | draws that can be checked |
| shown | what a seat is sent |
| records | a match as a record and back |
"""
