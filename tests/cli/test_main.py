"""What a person sees when a command fails, and how it exits."""

import pytest
from typer.main import get_command

from headtohead.cli import app


def exit_of(error: BaseException, monkeypatch: pytest.MonkeyPatch) -> object:
    """Return the exit status of a command in which that happens."""

    def command() -> None:
        raise error

    monkeypatch.setattr(app.app, "registered_commands", [])
    monkeypatch.setattr(app.app, "registered_callback", None)
    app.app.command("fail")(command)
    monkeypatch.setattr("sys.argv", ["headtohead"])
    with pytest.raises(SystemExit) as ended:
        app.run()
    return ended.value.code


def test_ctrl_c_outside_a_study_is_said_and_exits_with_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_of(KeyboardInterrupt(), monkeypatch) == 1
    assert "Interrupted" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_one_error_and_no_trace(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_of(PermissionError(13, "Permission denied", "results/x"), monkeypatch) == 1
    said = capsys.readouterr().err
    assert "results/x" in said
    assert "permission denied" in said.lower()


def test_the_list_of_commands_shows_each_first_sentence_whole_in_80_columns() -> None:
    group = get_command(app.app)

    shown = group.get_help(group.context_class(group, info_name="headtohead", terminal_width=80))

    rows = shown.partition("Commands:\n")[2].splitlines()
    assert [row.split()[0] for row in rows] == list(getattr(group, "commands", {}))
    assert all(row.endswith(".") and not row.endswith("...") for row in rows), shown
