"""Which columns of a table are printed if the line is too short for all of them."""

from keizer.cli.layout import Column, fit


def test_of_two_columns_of_zeros_the_right_one_is_left_out_first() -> None:
    columns = {
        "name": Column("Name", ["Baker", "Carter"]),
        "byes": Column("Byes", ["0", "0"]),
        "duty": Column("Duty", ["0", ""]),
    }
    # 6 characters for the names, 4 for one column, and 2 spaces between them.
    assert fit(columns, 12, drop=["byes", "name"]) == {"name": 6, "byes": 4}


def test_columns_of_zeros_are_left_out_before_the_least_important_one() -> None:
    columns = {
        "name": Column("Name", ["Baker", "Carter"]),
        "duty": Column("Duty", ["1", "0"]),
        "byes": Column("Byes", ["0", "0"]),
    }
    assert fit(columns, 12, drop=["duty"]) == {"name": 6, "duty": 4}
