"""Texts of the course that make_course.py makes: its file, and what its teacher knows."""

COURSE = """course = "CS 4xx GPU Programming"
term = "2027-spring"
timezone = "America/Chicago"
roster = "roster.csv"
extensions = "extensions.csv"
key = "class.key"
record = "executor"
retention = "2028-06-30"

[late]
grace = "15 min"
per_day = "10 %"
cap = "50 %"
at_most = "3 days"
slip_days = {slip}
counts = "best"

[[assignment]]
name = "hw1"
opens = 2027-02-01T09:00
due = 2027-02-14T23:59
rungs = {{ {worth} }}
private = {{ folder = "private/hw1", points = 6 }}
"""
LETTER = """CS 4xx, spring 2027, homework 1: what you know as its teacher.

The course file is course.toml, the roster roster.csv, the class key class.key; the private tests lie in
private/. The first third of the class hands in on Gradescope, the second on Canvas, the third in Moodle.
You downloaded all three on 10 February (to see drafts), on 15 February and on 24 February, each into a
folder of its own in downloads/. A download has what was there that day: who handed in nothing new is in
the next one again. For Canvas's times you wrote downloads/received.csv from the gradebook's history.

Due on Sunday, 14 February 2027, 23:59 (Chicago). The rules for lateness are in the course file.
Extensions, which are in extensions.csv already:
{granted}
Some steps call std::atexit. You allow that: accept them in the review.
Nobody's slip is fixed this time.

Canvas calls the assignment "Homework 1 (12345)". Moodle's grading worksheet is the .csv in
downloads/moodle-0224/. Publish points with the private tests in them. Then open LETTER2.txt, not before.
"""
LETTER2 = """Grades are out, and a student writes: "My g1 has a small grid whose threads walk over C. The task
allows that, check says PASS, and I lost two points in the private tests."

She is right. The private test of g1 asked for a thread for each element of C, which the task does not. Your
assistant has fixed it: fixed/hw1/03-dgemm/private_test.cpp asks for few sectors instead. Put it in the
place of private/hw1/03-dgemm/private_test.cpp, judge the class again, and publish again. Nobody may lose
points by it.
"""
