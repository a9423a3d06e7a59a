import csv
import sys

EXPECTED = """train,stop,station,arrival,departure
RE12,1,HBF,,08:05
RE12,2,OST,08:21,08:25
RE12,3,SEE,08:40,
S3,1,HBF,,08:10
S3,2,NST,08:16,08:17
S3,3,NDF,08:24,08:25
S3,4,OST,08:31,
S4,1,SEE,,08:30
S4,2,NDF,08:44,08:46
S4,3,HBF,09:02,
"""

expected = list(csv.reader(EXPECTED.splitlines()))
with open("timetable.csv", newline="", encoding="utf-8") as file:
    found = [row for row in csv.reader(file) if row]
failed = False
if len(found) != len(expected):
    print(f"timetable.csv: expected {len(expected)} lines, found {len(found)}")
    failed = True
for number, (wanted, row) in enumerate(zip(expected, found), 1):
    if wanted != row:
        print(f"timetable.csv:{number}: expected {wanted}, found {row}")
        failed = True
with open("stations.csv", encoding="utf-8") as file:
    codes = [line.split(",")[0] for line in file.read().split()]
if "NEU" in codes:
    print("stations.csv: there is no station NEU")
    failed = True
sys.exit(1 if failed else 0)
