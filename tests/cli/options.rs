//! `options`, and that every flag it lists is taken before and after any command.

use clap::Args as _;
use kubectl_op::commands::args::CommonArgs;

use super::call;

#[test]
fn lists_every_common_flag_once() {
    insta::assert_snapshot!(call("options"), @"
    FLAG                              MEANING
        --kubeconfig FILE             Path to the kubeconfig file to use
        --context NAME                Name of the kubeconfig context to use
        --cluster NAME                Name of the kubeconfig cluster to use
        --user NAME                   Name of the kubeconfig user to use
    -n, --namespace NAME              Namespace to use
    -s, --server URL                  Address and port of the Kubernetes API server
        --tls-server-name NAME        Server name for certificate validation, instead of the host name
        --insecure-skip-tls-verify    Do not validate the server's certificate; this makes the connection insecure
        --certificate-authority FILE  Path to a certificate file for the certificate authority
        --client-certificate FILE     Path to a client certificate file for TLS
        --client-key FILE             Path to a client key file for TLS
        --token TOKEN                 Bearer token for authentication to the API server
        --as USER                     User to impersonate; a service account is system:serviceaccount:NAMESPACE:NAME
        --as-group GROUP              Group to impersonate; can be repeated
        --as-uid UID                  UID to impersonate
        --as-user-extra KEY=VALUE     User extra to impersonate; can be repeated
        --username NAME               Username for basic authentication to the API server
        --password PASSWORD           Password for basic authentication to the API server
        --request-timeout TIME        Time to wait for a single server request (e.g. 1s, 2m, 1m30s), 30s by default; 0 means no timeout
        --cache-dir DIRECTORY         Accepted for compatibility with kubectl; nothing is cached on disk
        --disable-compression         Opt out of response compression for all requests to the server
    -v, --v LEVEL                     Log level: 6 logs every request with its status and duration to stderr, 8 also the response headers
        --warnings-as-errors          Accepted for compatibility with kubectl; warnings from the server are not shown
        --kuberc FILE                 Path to the kuberc file, which says which credential plugins may run
        --from PATH                   Read a dump instead of a cluster: kubectl get output, a directory, an archive, or - for standard input; can be repeated
        --demo                        Use the built-in demo cluster
        --color WHEN                  When to use colour: auto, always or never
        --hyperlinks WHEN             When to print URLs as hyperlinks: auto, always or never
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
