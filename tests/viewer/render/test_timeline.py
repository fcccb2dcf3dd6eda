from hybridsim.viewer.render.timeline import family_labels, rounded_end


def test_a_long_family_of_boundaries_has_one_colour_and_others_have_one_each():
    toes = [f"{kind}{leg}" for leg in range(6) for kind in ("liftoff", "touchdown")]
    assert [*family_labels([*toes, "left0", "left1", "empty"])] == [
        ("liftoff0 ... liftoff5", [f"liftoff{leg}" for leg in range(6)]),
        ("touchdown0 ... touchdown5", [f"touchdown{leg}" for leg in range(6)]),
        ("left0", ["left0"]),
        ("left1", ["left1"]),
        ("empty", ["empty"]),
    ]


def test_the_slider_of_an_unfinished_run_ends_at_a_round_time_after_it():
    assert [rounded_end(0.0, end) for end in (0.9, 1.0, 4.0, 9.6)] == [1.0, 1.5, 5.0, 15.0]
