use listview::ListView;

#[test]
fn the_selected_row_is_always_visible() {
    for height in 1..6 {
        for first in 0..12 {
            for second in 0..12 {
                let mut list = ListView::new(12, height);
                list.select(first);
                let before = list.visible();
                list.select(second);
                let after = list.visible();
                assert!(
                    after.contains(&second),
                    "height {height}, select({first}), select({second}): visible {after:?}"
                );
                assert_eq!(after.len(), height, "height {height}, select({first}), select({second})");
                if before.contains(&second) {
                    assert_eq!(before, after, "height {height}, select({first}), select({second}): no scrolling needed");
                } else if second < before.start {
                    assert_eq!(after.start, second, "height {height}, select({first}), select({second})");
                } else {
                    assert_eq!(after.end, second + 1, "height {height}, select({first}), select({second})");
                }
            }
        }
    }
}

#[test]
fn window_of_one_line() {
    let mut list = ListView::new(3, 0);
    list.down();
    assert_eq!(list.visible(), 1..2);
    list.down();
    list.down();
    assert_eq!(list.visible(), 2..3);
}

#[test]
fn empty_list() {
    let mut list = ListView::new(0, 4);
    list.down();
    assert_eq!(list.selected(), 0);
    assert_eq!(list.visible(), 0..0);
}
