use listview::ListView;

#[test]
fn the_first_rows_are_visible() {
    assert_eq!(ListView::new(10, 3).visible(), 0..3);
    assert_eq!(ListView::new(2, 3).visible(), 0..2);
}

#[test]
fn down_scrolls_at_the_lower_edge() {
    let mut list = ListView::new(10, 3);
    for expected in [0..3, 0..3, 1..4, 2..5, 3..6] {
        list.down();
        let selected = list.selected();
        assert_eq!(list.visible(), expected, "visible rows with row {selected} selected");
    }
}

#[test]
fn up_scrolls_at_the_upper_edge() {
    let mut list = ListView::new(10, 3);
    list.select(9);
    assert_eq!(list.visible(), 7..10);
    for expected in [7..10, 7..10, 6..9] {
        list.up();
        let selected = list.selected();
        assert_eq!(list.visible(), expected, "visible rows with row {selected} selected");
    }
}

#[test]
fn the_selection_stops_at_the_ends() {
    let mut list = ListView::new(2, 3);
    list.up();
    assert_eq!(list.selected(), 0);
    list.select(5);
    assert_eq!(list.selected(), 1);
}
