import hashlib
import unittest

from blocks import backup_size, block_hashes


class HiddenBlocksTest(unittest.TestCase):
    def test_number_of_blocks(self):
        for length in range(0, 20):
            for size in range(1, 9):
                self.assertEqual(len(block_hashes(bytes(range(length)), size)), -(-length // size),
                                 f"{length} bytes in blocks of {size}")

    def test_short_last_block(self):
        self.assertEqual(block_hashes(b"abcde", 4)[1:], [hashlib.sha256(b"e").hexdigest()[:16]])

    def test_backup_size(self):
        self.assertEqual(backup_size(b"abcdef", b"abcdeX", 4), 2)
        self.assertEqual(backup_size(b"", b"abc", 4), 3)
        self.assertEqual(backup_size(b"abc", b"", 4), 0)
        self.assertEqual(backup_size(b"same", b"same", 4), 0)
