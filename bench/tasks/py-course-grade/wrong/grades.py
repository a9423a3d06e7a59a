"""Course grades from weighted results."""


class Result:
    """One graded piece of work, with points from 0 to 100 and a positive weight."""

    def __init__(self, name, points, weight=1):
        if not 0 <= points <= 100:
            raise ValueError(f"{name}: points must be between 0 and 100")
        if weight <= 0:
            raise ValueError(f"{name}: weight must be positive")
        self.name = name
        self.points = points
        self.weight = weight


def course_grade(results):
    """The weighted mean of the points, rounded to one decimal place; None without results."""
    if not results:
        return None
    total = sum(result.points * result.weight for result in results)
    return round(total / 100, 1)


def letter(grade):
    """The letter for a grade."""
    for limit, name in [(90, "A"), (80, "B"), (70, "C"), (60, "D")]:
        if grade >= limit:
            return name
    return "F"


def summary(student, results):
    """One line for the grade sheet."""
    grade = course_grade(results)
    if grade is None:
        return f"{student}: no results"
    return f"{student}: {grade} ({letter(grade)})"
