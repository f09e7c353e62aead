//! Interleaved rounds: A B C D, A B C D, so that whatever else the machine does meets all subjects alike.

use anyhow::Result;

/// Runs every subject once to warm up and then once in each of so many rounds. A subject that fails runs no more;
/// its reason stands in place of its measurements.
pub(crate) async fn interleaved<N: Copy, T>(
    subjects: &[N],
    rounds: usize,
    mut run: impl AsyncFnMut(N) -> Result<T>,
) -> Vec<(N, Result<Vec<T>, String>)> {
    let mut found: Vec<_> = subjects.iter().map(|name| (*name, Ok(Vec::new()))).collect();
    for round in 0..=rounds {
        for (name, measured) in &mut found {
            let Ok(runs) = measured else { continue };
            match run(*name).await {
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
    use crate::subject::Name;

    #[tokio::test]
    async fn subjects_take_turns_and_the_first_round_does_not_count() {
        let mut order = Vec::new();
        let found = interleaved(&[Name::Op, Name::Bare], 2, async |name| {
            order.push(name);
            Ok(order.len())
        })
        .await;
        assert_eq!(found, [(Name::Op, Ok(vec![3, 5])), (Name::Bare, Ok(vec![4, 6]))]);
        assert_eq!(order, [Name::Op, Name::Bare].repeat(3));
    }

    #[tokio::test]
    async fn one_that_fails_does_not_stop_the_others() {
        let mut asked = 0;
        let found = interleaved(&[Name::Op, Name::Bare], 3, async |name| {
            if name == Name::Op {
                asked += 1;
                bail!("no such command");
            }
            Ok(1)
        })
        .await;
        assert_eq!(found[0], (Name::Op, Err("no such command".to_owned())));
        assert_eq!(found[1], (Name::Bare, Ok(vec![1, 1, 1])));
        assert_eq!(asked, 1);
    }
}
