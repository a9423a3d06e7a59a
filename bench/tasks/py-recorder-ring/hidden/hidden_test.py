import unittest

from recorder import Recorder


class HiddenRecorderTest(unittest.TestCase):
    def test_against_a_plain_list(self):
        for capacity in range(1, 6):
            recorder = Recorder(capacity)
            kept = []
            for step in range(20):
                value = 10 + step * 7 % 13
                recorder.add(value)
                kept = (kept + [value])[-capacity:]
                where = f"capacity {capacity}, {step + 1} readings"
                self.assertEqual(recorder.readings(), kept, where)
                self.assertEqual(len(recorder), len(kept), where)
                try:
                    latest = recorder.latest()
                except IndexError as error:
                    latest = f"IndexError: {error}"
                self.assertEqual(latest, value, where)
                self.assertAlmostEqual(recorder.average(), sum(kept) / len(kept), msg=where)

    def test_clear(self):
        recorder = Recorder(2)
        for value in (5, 6, 7):
            recorder.add(value)
        recorder.clear()
        self.assertEqual((len(recorder), recorder.readings(), recorder.latest()), (0, [], None))
        recorder.add(8)
        self.assertEqual((recorder.readings(), recorder.latest()), ([8], 8))
