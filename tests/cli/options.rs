//! `options`, and that every flag it lists is taken before and after any command.

use clap::Args as _;
use kubectl_op::commands::args::CommonArgs;

use super::call;

#[test]
fn lists_every_common_flag_once() {
    insta::assert_snapshot!(call("options"), @"
    FLAG                              MEANING
        --kubeconfig FILE             Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config
        --context NAME                Context of the kubeconfig to use
        --cluster NAME                Cluster of the kubeconfig to use
        --user NAME                   User of the kubeconfig to use
    -n, --namespace NAME              Namespace to look in
    -s, --server URL                  Address of the API server
        --tls-server-name NAME        Name to expect in the server's certificate instead of its host name
        --insecure-skip-tls-verify    Trust any server certificate: whoever is in between can read and change everything
        --certificate-authority FILE  File with the certificate authority to trust
        --client-certificate FILE     File with the client certificate to show
        --client-key FILE             File with the client certificate's key
        --token TOKEN                 Bearer token to log in with
        --as USER                     User to act as; a service account is system:serviceaccount:NAMESPACE:NAME
        --as-group GROUP              Group to act as; may be repeated
        --as-uid UID                  UID to act as
        --as-user-extra KEY=VALUE     Extra information about the user to act as; may be repeated
        --username NAME               User name to log in with
        --password PASSWORD           Password to log in with
        --request-timeout TIME        How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever
        --cache-dir FOLDER            Accepted for kubectl's sake: nothing is cached on disk
        --disable-compression         Ask the server for uncompressed answers
    -v, --v LEVEL                     Log to stderr: 6 every request with its status and time, 8 the headers of answers too
        --warnings-as-errors          Accepted for kubectl's sake: the server's warnings are not shown
        --kuberc FILE                 kuberc file to obey: it says which credential plugins may be run
        --from PATH                   Read a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input; may be repeated
        --demo                        Use the built-in demo cluster; no other cluster is needed
        --color WHEN                  When to colour: auto, always or never
        --hyperlinks WHEN             When to make addresses links that can be clicked: auto, always or never
    --- exit 0
    ");
}

/// kubectl's common flags, by kubectl's own spelling; the last ones are ours.
const FLAGS: &[&str] = &[
    "--kubeconfig=f",
    "--context=c",
    "--cluster=c",
    "--user=u",
    "--namespace=n",
    "-n n",
    "--server=s",
    "-s s",
    "--tls-server-name=n",
    "--insecure-skip-tls-verify",
    "--insecure-skip-tls-verify=true",
    "--certificate-authority=f",
    "--client-certificate=f",
    "--client-key=f",
    "--token=t",
    "--as=u",
    "--as-group=a --as-group=b",
    "--as-uid=1",
    "--as-user-extra=a=1 --as-user-extra=b=2",
    "--username=u",
    "--password=p",
    "--request-timeout=0",
    "--cache-dir=d",
    "--disable-compression",
    "-v=6",
    "--v=6",
    "--warnings-as-errors",
    "--kuberc=f",
    "--color=never",
    "--hyperlinks=never",
    "--from=f --from=g",
    "--demo",
];

#[test]
fn every_flag_goes_before_and_after_any_command() {
    for flag in FLAGS {
        for words in [format!("version --client {flag}"), format!("{flag} version --client")] {
            assert!(call(&words).ends_with("--- exit 0\n"), "{words}: {}", call(&words));
        }
    }
    // A dump and the demo exclude each other.
    let flags: Vec<&str> = FLAGS.iter().copied().filter(|flag| *flag != "--demo").collect();
    for command in ["options", "completion bash"] {
        assert!(call(&format!("{command} {}", flags.join(" "))).ends_with("--- exit 0\n"), "{command}");
    }
}

#[test]
fn no_flag_is_left_out_of_the_list_above() {
    let definition = CommonArgs::augment_args(clap::Command::new("x"));
    for flag in definition.get_arguments() {
        let long = format!("--{}", flag.get_long().unwrap());
        assert!(FLAGS.iter().any(|known| known.split(['=', ' ']).next() == Some(&long)), "{long}");
    }
}

#[test]
fn given_twice_the_last_one_counts() {
    assert!(call("version --client --context a --context b").ends_with("--- exit 0\n"));
}
