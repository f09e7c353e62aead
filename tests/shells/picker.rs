//! The prompt of `tree TYPE` on a terminal, in the built-in demo cluster.

use libtest_mimic::{Completion, Failed};
use tempfile::TempDir;

use crate::terminal::{Terminal, missing};

fn start(home: &TempDir) -> Result<Terminal, Failed> {
    let call = format!("{} tree websites -n shop --demo -o name", env!("CARGO_BIN_EXE_kubectl-op"));
    let terminal = Terminal::start(&call, home.path(), &[])?;
    terminal.wait_for("the prompt", |screen| screen.contains("blog").then_some(()))?;
    Ok(terminal)
}

pub(crate) fn letters_filter_and_health_is_shown() -> Result<Completion, Failed> {
    if let Some(reason) = missing(&["script"]) {
        return Ok(Completion::ignored_with(reason));
    }
    let home = TempDir::new()?;
    let mut terminal = start(&home)?;
    let screen = terminal.screen();
    let (bad, good) = (screen.find("shop  Progressing"), screen.find("blog  Ready"));
    assert!(bad.is_some() && bad < good, "the worst first:\n{screen}");
    terminal.press("blo")?;
    terminal.press("\r")?;
    let (code, screen) = terminal.end()?;
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("website.webapp.example.com/blog\r\n"), "{screen}");
    assert!(!screen.contains("website.webapp.example.com/shop\r\n"), "{screen}");
    Ok(Completion::Completed)
}

pub(crate) fn escape_and_interrupt_leave_with_130() -> Result<Completion, Failed> {
    if let Some(reason) = missing(&["script"]) {
        return Ok(Completion::ignored_with(reason));
    }
    let home = TempDir::new()?;
    for key in ["\x1b", "\x03"] {
        let mut terminal = start(&home)?;
        terminal.press(key)?;
        let (code, screen) = terminal.end()?;
        assert_eq!(code, Some(130), "{key:?}: {screen}");
        assert!(screen.contains("no object selected") && screen.contains("\x1b[?25h"), "{key:?}: {screen}");
    }
    Ok(Completion::Completed)
}
