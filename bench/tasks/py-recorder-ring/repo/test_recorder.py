import unittest

from recorder import Recorder


def filled(capacity, *values):
    recorder = Recorder(capacity)
    for value in values:
        recorder.add(value)
    return recorder


class RecorderTest(unittest.TestCase):
    def test_empty(self):
        recorder = Recorder(2)
        self.assertEqual((len(recorder), recorder.readings()), (0, []))
        self.assertIsNone(recorder.latest())
        self.assertIsNone(recorder.average())

    def test_average_of_a_few_readings(self):
        self.assertEqual(filled(4, 20, 22).average(), 21)

    def test_latest(self):
        self.assertEqual(filled(4, 20, 22).latest(), 22)

    def test_more_readings_than_places(self):
        recorder = filled(3, 1, 2, 3, 4)
        self.assertEqual(len(recorder), 3)
        self.assertEqual(recorder.readings(), [2, 3, 4])


if __name__ == "__main__":
    unittest.main()
