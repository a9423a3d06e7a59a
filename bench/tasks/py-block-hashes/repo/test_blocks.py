import unittest

from blocks import backup_size, block_hashes, changed_blocks


class BlocksTest(unittest.TestCase):
    def test_number_of_blocks(self):
        self.assertEqual(len(block_hashes(b"aaaabbbbcccc", 4)), 3)

    def test_equal_blocks_have_equal_hashes(self):
        hashes = block_hashes(b"xxxxyyyyxxxxzzzz", 4)
        self.assertEqual(hashes[0], hashes[2])
        self.assertNotEqual(hashes[0], hashes[1])

    def test_changed_blocks(self):
        self.assertEqual(changed_blocks(["a", "b"], ["a", "c", "d"]), [1, 2])

    def test_change_in_the_last_block(self):
        self.assertEqual(backup_size(b"aaaabbbb", b"aaaabbbc", 4), 4)


if __name__ == "__main__":
    unittest.main()
