
using namespace System.Management.Automation
using namespace System.Management.Automation.Language

Register-ArgumentCompleter -Native -CommandName 'kubectl-op' -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)

    $commandElements = $commandAst.CommandElements
    $command = @(
        'kubectl-op'
        for ($i = 1; $i -lt $commandElements.Count; $i++) {
            $element = $commandElements[$i]
            if ($element -isnot [StringConstantExpressionAst] -or
                $element.StringConstantType -ne [StringConstantType]::BareWord -or
                $element.Value.StartsWith('-') -or
                $element.Value -eq $wordToComplete) {
                break
        }
        $element.Value
    }) -join ';'

    $completions = @(switch ($command) {
        'kubectl-op' {
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace to look in')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace to look in')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the server''s certificate instead of its host name')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Trust any server certificate: whoever is in between can read and change everything')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the certificate authority to trust')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client certificate to show')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client certificate''s key')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token to log in with')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information about the user to act as; may be repeated')
            [CompletionResult]::new('--username', '--username', [CompletionResultType]::ParameterName, 'User name to log in with')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Password to log in with')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Accepted for kubectl''s sake: nothing is cached on disk')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server for uncompressed answers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too')
            [CompletionResult]::new('--v', '--v', [CompletionResultType]::ParameterName, 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too')
            [CompletionResult]::new('--warnings-as-errors', '--warnings-as-errors', [CompletionResultType]::ParameterName, 'Accepted for kubectl''s sake: the server''s warnings are not shown')
            [CompletionResult]::new('--kuberc', '--kuberc', [CompletionResultType]::ParameterName, 'kuberc file to obey: it says which credential plugins may be run')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Look into a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour: auto, always or never')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'Look into the world that is built in; no cluster is needed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('completion', 'completion', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('options', 'options', [CompletionResultType]::ParameterValue, 'List the flags that every command accepts')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Show what a resource owns, with health')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Print the client''s and the server''s version')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-op;completion' {
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace to look in')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace to look in')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the server''s certificate instead of its host name')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Trust any server certificate: whoever is in between can read and change everything')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the certificate authority to trust')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client certificate to show')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client certificate''s key')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token to log in with')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information about the user to act as; may be repeated')
            [CompletionResult]::new('--username', '--username', [CompletionResultType]::ParameterName, 'User name to log in with')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Password to log in with')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Accepted for kubectl''s sake: nothing is cached on disk')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server for uncompressed answers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too')
            [CompletionResult]::new('--v', '--v', [CompletionResultType]::ParameterName, 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too')
            [CompletionResult]::new('--warnings-as-errors', '--warnings-as-errors', [CompletionResultType]::ParameterName, 'Accepted for kubectl''s sake: the server''s warnings are not shown')
            [CompletionResult]::new('--kuberc', '--kuberc', [CompletionResultType]::ParameterName, 'kuberc file to obey: it says which credential plugins may be run')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Look into a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour: auto, always or never')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'Look into the world that is built in; no cluster is needed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-op;options' {
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace to look in')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace to look in')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the server''s certificate instead of its host name')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Trust any server certificate: whoever is in between can read and change everything')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the certificate authority to trust')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client certificate to show')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client certificate''s key')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token to log in with')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information about the user to act as; may be repeated')
            [CompletionResult]::new('--username', '--username', [CompletionResultType]::ParameterName, 'User name to log in with')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Password to log in with')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Accepted for kubectl''s sake: nothing is cached on disk')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server for uncompressed answers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too')
            [CompletionResult]::new('--v', '--v', [CompletionResultType]::ParameterName, 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too')
            [CompletionResult]::new('--warnings-as-errors', '--warnings-as-errors', [CompletionResultType]::ParameterName, 'Accepted for kubectl''s sake: the server''s warnings are not shown')
            [CompletionResult]::new('--kuberc', '--kuberc', [CompletionResultType]::ParameterName, 'kuberc file to obey: it says which credential plugins may be run')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Look into a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour: auto, always or never')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'Look into the world that is built in; no cluster is needed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-op;tree' {
            [CompletionResult]::new('-f', '-f', [CompletionResultType]::ParameterName, 'Take type, name and namespace from a manifest; - reads standard input')
            [CompletionResult]::new('--filename', '--filename', [CompletionResultType]::ParameterName, 'Take type, name and namespace from a manifest; - reads standard input')
            [CompletionResult]::new('-l', '-l', [CompletionResultType]::ParameterName, 'Labels: of the objects to show trees of, or, below a named one, of what is shown')
            [CompletionResult]::new('--selector', '--selector', [CompletionResultType]::ParameterName, 'Labels: of the objects to show trees of, or, below a named one, of what is shown')
            [CompletionResult]::new('--depth', '--depth', [CompletionResultType]::ParameterName, 'Show this many levels below the object')
            [CompletionResult]::new('--kind', '--kind', [CompletionResultType]::ParameterName, 'Show objects of these types only, and what is below them')
            [CompletionResult]::new('--exclude-kind', '--exclude-kind', [CompletionResultType]::ParameterName, 'Hide objects of these types, not what is below them')
            [CompletionResult]::new('--only', '--only', [CompletionResultType]::ParameterName, 'Show only what is unhealthy, and the way there')
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Format: wide, json, yaml, name, dot, mermaid, jsonpath=TEMPLATE, custom-columns-file=FILE, or custom-columns=NAME:.metadata.name,IS:.verdict with the fields of a node in -o json')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Format: wide, json, yaml, name, dot, mermaid, jsonpath=TEMPLATE, custom-columns-file=FILE, or custom-columns=NAME:.metadata.name,IS:.verdict with the fields of a node in -o json')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace to look in')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace to look in')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the server''s certificate instead of its host name')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Trust any server certificate: whoever is in between can read and change everything')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the certificate authority to trust')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client certificate to show')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client certificate''s key')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token to log in with')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information about the user to act as; may be repeated')
            [CompletionResult]::new('--username', '--username', [CompletionResultType]::ParameterName, 'User name to log in with')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Password to log in with')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Accepted for kubectl''s sake: nothing is cached on disk')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server for uncompressed answers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too')
            [CompletionResult]::new('--v', '--v', [CompletionResultType]::ParameterName, 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too')
            [CompletionResult]::new('--warnings-as-errors', '--warnings-as-errors', [CompletionResultType]::ParameterName, 'Accepted for kubectl''s sake: the server''s warnings are not shown')
            [CompletionResult]::new('--kuberc', '--kuberc', [CompletionResultType]::ParameterName, 'kuberc file to obey: it says which credential plugins may be run')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Look into a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour: auto, always or never')
            [CompletionResult]::new('-A', '-A ', [CompletionResultType]::ParameterName, 'Look into all namespaces, also for an object that lives in one')
            [CompletionResult]::new('--all-namespaces', '--all-namespaces', [CompletionResultType]::ParameterName, 'Look into all namespaces, also for an object that lives in one')
            [CompletionResult]::new('--up', '--up', [CompletionResultType]::ParameterName, 'Show the owners instead, up to the top')
            [CompletionResult]::new('--around', '--around', [CompletionResultType]::ParameterName, 'Show the owners and what is below, with the object marked')
            [CompletionResult]::new('--owned-only', '--owned-only', [CompletionResultType]::ParameterName, 'Hide what owner references do not lead to')
            [CompletionResult]::new('--deep', '--deep', [CompletionResultType]::ParameterName, 'Show what Pods name as well: ConfigMaps, Secrets, claims, service accounts')
            [CompletionResult]::new('--all', '--all', [CompletionResultType]::ParameterName, 'Show equal siblings one by one')
            [CompletionResult]::new('--absolute-time', '--absolute-time', [CompletionResultType]::ParameterName, 'Show times instead of ages')
            [CompletionResult]::new('--fail', '--fail', [CompletionResultType]::ParameterName, 'Exit with 1 when anything in the tree is not fine')
            [CompletionResult]::new('--strict', '--strict', [CompletionResultType]::ParameterName, 'Exit with 3 when not everything could be read')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'Look into the world that is built in; no cluster is needed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-op;version' {
            [CompletionResult]::new('-o', '-o', [CompletionResultType]::ParameterName, 'Write the answer for a program')
            [CompletionResult]::new('--output', '--output', [CompletionResultType]::ParameterName, 'Write the answer for a program')
            [CompletionResult]::new('--kubeconfig', '--kubeconfig', [CompletionResultType]::ParameterName, 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config')
            [CompletionResult]::new('--context', '--context', [CompletionResultType]::ParameterName, 'Context of the kubeconfig to use')
            [CompletionResult]::new('--cluster', '--cluster', [CompletionResultType]::ParameterName, 'Cluster of the kubeconfig to use')
            [CompletionResult]::new('--user', '--user', [CompletionResultType]::ParameterName, 'User of the kubeconfig to use')
            [CompletionResult]::new('-n', '-n', [CompletionResultType]::ParameterName, 'Namespace to look in')
            [CompletionResult]::new('--namespace', '--namespace', [CompletionResultType]::ParameterName, 'Namespace to look in')
            [CompletionResult]::new('-s', '-s', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--server', '--server', [CompletionResultType]::ParameterName, 'Address of the API server')
            [CompletionResult]::new('--tls-server-name', '--tls-server-name', [CompletionResultType]::ParameterName, 'Name to expect in the server''s certificate instead of its host name')
            [CompletionResult]::new('--insecure-skip-tls-verify', '--insecure-skip-tls-verify', [CompletionResultType]::ParameterName, 'Trust any server certificate: whoever is in between can read and change everything')
            [CompletionResult]::new('--certificate-authority', '--certificate-authority', [CompletionResultType]::ParameterName, 'File with the certificate authority to trust')
            [CompletionResult]::new('--client-certificate', '--client-certificate', [CompletionResultType]::ParameterName, 'File with the client certificate to show')
            [CompletionResult]::new('--client-key', '--client-key', [CompletionResultType]::ParameterName, 'File with the client certificate''s key')
            [CompletionResult]::new('--token', '--token', [CompletionResultType]::ParameterName, 'Bearer token to log in with')
            [CompletionResult]::new('--as', '--as', [CompletionResultType]::ParameterName, 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME')
            [CompletionResult]::new('--as-group', '--as-group', [CompletionResultType]::ParameterName, 'Group to act as; may be repeated')
            [CompletionResult]::new('--as-uid', '--as-uid', [CompletionResultType]::ParameterName, 'UID to act as')
            [CompletionResult]::new('--as-user-extra', '--as-user-extra', [CompletionResultType]::ParameterName, 'Extra information about the user to act as; may be repeated')
            [CompletionResult]::new('--username', '--username', [CompletionResultType]::ParameterName, 'User name to log in with')
            [CompletionResult]::new('--password', '--password', [CompletionResultType]::ParameterName, 'Password to log in with')
            [CompletionResult]::new('--request-timeout', '--request-timeout', [CompletionResultType]::ParameterName, 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever')
            [CompletionResult]::new('--cache-dir', '--cache-dir', [CompletionResultType]::ParameterName, 'Accepted for kubectl''s sake: nothing is cached on disk')
            [CompletionResult]::new('--disable-compression', '--disable-compression', [CompletionResultType]::ParameterName, 'Ask the server for uncompressed answers')
            [CompletionResult]::new('-v', '-v', [CompletionResultType]::ParameterName, 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too')
            [CompletionResult]::new('--v', '--v', [CompletionResultType]::ParameterName, 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too')
            [CompletionResult]::new('--warnings-as-errors', '--warnings-as-errors', [CompletionResultType]::ParameterName, 'Accepted for kubectl''s sake: the server''s warnings are not shown')
            [CompletionResult]::new('--kuberc', '--kuberc', [CompletionResultType]::ParameterName, 'kuberc file to obey: it says which credential plugins may be run')
            [CompletionResult]::new('--from', '--from', [CompletionResultType]::ParameterName, 'Look into a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input')
            [CompletionResult]::new('--color', '--color', [CompletionResultType]::ParameterName, 'When to colour: auto, always or never')
            [CompletionResult]::new('--client', '--client', [CompletionResultType]::ParameterName, 'Ask no server')
            [CompletionResult]::new('--demo', '--demo', [CompletionResultType]::ParameterName, 'Look into the world that is built in; no cluster is needed')
            [CompletionResult]::new('-h', '-h', [CompletionResultType]::ParameterName, 'Print help')
            [CompletionResult]::new('--help', '--help', [CompletionResultType]::ParameterName, 'Print help')
            break
        }
        'kubectl-op;help' {
            [CompletionResult]::new('completion', 'completion', [CompletionResultType]::ParameterValue, 'Print a completion script for a shell')
            [CompletionResult]::new('options', 'options', [CompletionResultType]::ParameterValue, 'List the flags that every command accepts')
            [CompletionResult]::new('tree', 'tree', [CompletionResultType]::ParameterValue, 'Show what a resource owns, with health')
            [CompletionResult]::new('version', 'version', [CompletionResultType]::ParameterValue, 'Print the client''s and the server''s version')
            [CompletionResult]::new('help', 'help', [CompletionResultType]::ParameterValue, 'Print this message or the help of the given subcommand(s)')
            break
        }
        'kubectl-op;help;completion' {
            break
        }
        'kubectl-op;help;options' {
            break
        }
        'kubectl-op;help;tree' {
            break
        }
        'kubectl-op;help;version' {
            break
        }
        'kubectl-op;help;help' {
            break
        }
    })

    $completions.Where{ $_.CompletionText -like "$wordToComplete*" } |
        Sort-Object -Property ListItemText
}
