//! Interleaved rounds: A B C D, A B C D, so that whatever else the machine does affects all subjects alike.

use anyhow::Result;

/// Runs every subject once to warm up and then once in each of so many rounds. A subject that fails runs no more;
/// its error takes the place of its measurements.
pub(crate) async fn interleaved<N: Copy, T>(
    subjects: &[N],
    rounds: usize,
    mut run: impl AsyncFnMut(N) -> Result<T>,
) -> Vec<(N, Result<Vec<T>, String>)> {
    let mut found: Vec<_> = subjects.iter().map(|subject| (*subject, Ok(Vec::new()))).collect();
    for round in 0..=rounds {
        for (subject, measured) in &mut found {
            let Ok(runs) = measured else { continue };
            match run(*subject).await {
                // Round 0 fills caches, the server's and the subject's own.
                Ok(_) if round == 0 => {}
                Ok(one) => runs.push(one),
                Err(error) => *measured = Err(format!("{error:#}")),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use anyhow::bail;

    use super::*;
    use crate::tool::Tool;

    #[tokio::test]
    async fn subjects_take_turns_and_the_first_round_does_not_count() {
        let mut order = Vec::new();
        let found = interleaved(&[Tool::Op, Tool::Bare], 2, async |tool| {
            order.push(tool);
            Ok(order.len())
        })
        .await;
        assert_eq!(found, [(Tool::Op, Ok(vec![3, 5])), (Tool::Bare, Ok(vec![4, 6]))]);
        assert_eq!(order, [Tool::Op, Tool::Bare].repeat(3));
    }

    #[tokio::test]
    async fn one_that_fails_does_not_stop_the_others() {
        let mut asked = 0;
        let found = interleaved(&[Tool::Op, Tool::Bare], 3, async |tool| {
            if tool == Tool::Op {
                asked += 1;
                bail!("no such command");
            }
            Ok(1)
        })
        .await;
        assert_eq!(found[0], (Tool::Op, Err("no such command".to_owned())));
        assert_eq!(found[1], (Tool::Bare, Ok(vec![1, 1, 1])));
        assert_eq!(asked, 1);
    }
}
