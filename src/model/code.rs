//! The codes of findings. `OP-T` is about the tree and its owner references, `OP-H` about health. What each code means
//! and what to do about it is in `known/codes.rs`.

use std::str::FromStr;

use super::string_enum::string_enum;

string_enum! {
    /// The stable code of a finding. A code is never given a new meaning; one that is no longer reported stays, so
    /// that old reports can be read.
    pub enum Code as as_str {
        ReadyButChildNotReady = "OP-H001",
        NoStatus = "OP-H002",
        StaleStatus = "OP-H003",
        StuckDeletion = "OP-H004",
        MalformedStatus = "OP-H005",
        TimeInFuture = "OP-H006",
        Deleting = "OP-H007",
        CrashLoop = "OP-H010",
        ImagePull = "OP-H011",
        Unschedulable = "OP-H012",
        ReferenceNotFound = "OP-H013",
        QuotaExceeded = "OP-H014",
        AdmissionWebhook = "OP-H015",
        ConversionWebhook = "OP-H016",
        NoReadyEndpoint = "OP-H017",
        UnboundClaim = "OP-H018",
        OomKilled = "OP-H019",
        ContainerError = "OP-H020",
        JobFailed = "OP-H021",
        FailureCondition = "OP-H022",
        NotReadyCondition = "OP-H023",
        MissingReplicas = "OP-H024",
        NodeNotReady = "OP-H025",
        Warning = "OP-H026",
        OwnerNotFound = "OP-T001",
        OwnerInOtherNamespace = "OP-T002",
        OwnerRecreated = "OP-T003",
        OwnerMismatch = "OP-T004",
        OwnerKindNotServed = "OP-T005",
        OwnerCycle = "OP-T006",
        NotListedElsewhere = "OP-T007",
        PartlySearched = "OP-T008",
    }
}

/// The string names no code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownCode;

impl FromStr for Code {
    type Err = UnknownCode;

    /// Parses a code in upper or lower case.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.iter().copied().find(|code| code.as_str().eq_ignore_ascii_case(text)).ok_or(UnknownCode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_each_has_its_own_string() {
        assert!(Code::ALL.is_sorted_by(|a, b| a.as_str() < b.as_str()));
    }

    #[test]
    fn every_code_is_parsed_from_its_string_in_either_case() {
        for code in Code::ALL {
            assert_eq!(code.as_str().parse(), Ok(*code));
            assert_eq!(code.as_str().to_lowercase().parse(), Ok(*code));
        }
        for text in ["", "OP-", "OP-H008", "H001", "OP-H001 "] {
            assert_eq!(text.parse::<Code>(), Err(UnknownCode), "{text:?}");
        }
    }
}
