"""Checks timetable.csv: known stations, stops numbered 1, 2, 3, ... and times that only go forward."""

import csv
import sys


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def problems(stops, stations):
    previous = {}
    for stop in stops:
        train = stop["train"]
        name = f"{train} at {stop['station']}"
        if stop["station"] not in stations:
            yield f"{name}: unknown station"
        number, time = previous.get(train, (0, "00:00"))
        if int(stop["stop"]) != number + 1:
            yield f"{name}: stop number {stop['stop']}, expected {number + 1}"
        for field in ("arrival", "departure"):
            if not stop[field]:
                continue
            if stop[field] < time:
                yield f"{name}: {field} {stop[field]} is before {time}"
            time = stop[field]
        previous[train] = (int(stop["stop"]), time)


def main():
    stations = {station["code"] for station in read("stations.csv")}
    failed = False
    for problem in problems(read("timetable.csv"), stations):
        print(f"timetable.csv: {problem}")
        failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
