# Print an optspec for argparse to handle cmd's options that are independent of any subcommand.
function __fish_kubectl_op_global_optspecs
    string join \n kubeconfig= context= cluster= user= n/namespace= s/server= tls-server-name= insecure-skip-tls-verify= certificate-authority= client-certificate= client-key= token= as= as-group= as-uid= as-user-extra= username= password= request-timeout= cache-dir= disable-compression= v/v= warnings-as-errors= kuberc= from= demo color= hyperlinks= h/help
end

function __fish_kubectl_op_needs_command
    # Figure out if the current invocation already has a command.
    set -l cmd (commandline -opc)
    set -e cmd[1]
    argparse -s (__fish_kubectl_op_global_optspecs) -- $cmd 2>/dev/null
    or return
    if set -q argv[1]
        # Also print the command, so this can be used to figure out what it is.
        echo $argv[1]
        return 1
    end
    return 0
end

function __fish_kubectl_op_using_subcommand
    set -l cmd (__fish_kubectl_op_needs_command)
    test -z "$cmd"
    and return 1
    contains -- $cmd[1] $argv
end

complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l kubeconfig -d 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -s n -l namespace -d 'Namespace to look in' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l tls-server-name -d 'Name to expect in the server\'s certificate instead of its host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l insecure-skip-tls-verify -d 'Trust any server certificate: whoever is in between can read and change everything' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l certificate-authority -d 'File with the certificate authority to trust' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l client-certificate -d 'File with the client certificate to show' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l client-key -d 'File with the client certificate\'s key' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l token -d 'Bearer token to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l as -d 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l as-uid -d 'UID to act as' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l as-user-extra -d 'Extra information about the user to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l username -d 'User name to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l password -d 'Password to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l request-timeout -d 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l cache-dir -d 'Accepted for kubectl\'s sake: nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l disable-compression -d 'Ask the server for uncompressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -s v -l v -d 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l warnings-as-errors -d 'Accepted for kubectl\'s sake: the server\'s warnings are not shown' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l kuberc -d 'kuberc file to obey: it says which credential plugins may be run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l from -d 'Read a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input; may be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l hyperlinks -d 'When to make addresses links that can be clicked: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l demo -d 'Use the built-in demo cluster; no other cluster is needed'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "completion" -d 'Print a completion script for a shell'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "events" -d 'Show the events of a whole tree in time order'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "explain" -d 'Say what a finding\'s code means and what to do'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "options" -d 'List the flags that every command accepts'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "status" -d 'Say whether a resource is healthy and, if not, why'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "tree" -d 'Show what a resource owns, with health'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "version" -d 'Print the client\'s and the server\'s version'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l kubeconfig -d 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -s n -l namespace -d 'Namespace to look in' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l tls-server-name -d 'Name to expect in the server\'s certificate instead of its host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l insecure-skip-tls-verify -d 'Trust any server certificate: whoever is in between can read and change everything' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l certificate-authority -d 'File with the certificate authority to trust' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l client-certificate -d 'File with the client certificate to show' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l client-key -d 'File with the client certificate\'s key' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l token -d 'Bearer token to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l as -d 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l as-uid -d 'UID to act as' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l as-user-extra -d 'Extra information about the user to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l username -d 'User name to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l password -d 'Password to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l request-timeout -d 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l cache-dir -d 'Accepted for kubectl\'s sake: nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l disable-compression -d 'Ask the server for uncompressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -s v -l v -d 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l warnings-as-errors -d 'Accepted for kubectl\'s sake: the server\'s warnings are not shown' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l kuberc -d 'kuberc file to obey: it says which credential plugins may be run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l from -d 'Read a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input; may be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l hyperlinks -d 'When to make addresses links that can be clicked: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l demo -d 'Use the built-in demo cluster; no other cluster is needed'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s f -l filename -d 'Take type, name and namespace from a manifest; - reads standard input' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l since -d 'Show what was last seen this long ago or later: seconds, or 90s, 5m, 1h30m' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l types -d 'Show events of these types only: Normal, Warning' -r -f -a "Normal\t''
Warning\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s o -l output -d 'Format: wide, json, yaml or jsonpath=TEMPLATE' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l kubeconfig -d 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s n -l namespace -d 'Namespace to look in' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l tls-server-name -d 'Name to expect in the server\'s certificate instead of its host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l insecure-skip-tls-verify -d 'Trust any server certificate: whoever is in between can read and change everything' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l certificate-authority -d 'File with the certificate authority to trust' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l client-certificate -d 'File with the client certificate to show' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l client-key -d 'File with the client certificate\'s key' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l token -d 'Bearer token to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l as -d 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l as-uid -d 'UID to act as' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l as-user-extra -d 'Extra information about the user to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l username -d 'User name to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l password -d 'Password to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l request-timeout -d 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l cache-dir -d 'Accepted for kubectl\'s sake: nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l disable-compression -d 'Ask the server for uncompressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s v -l v -d 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l warnings-as-errors -d 'Accepted for kubectl\'s sake: the server\'s warnings are not shown' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l kuberc -d 'kuberc file to obey: it says which credential plugins may be run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l from -d 'Read a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input; may be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l hyperlinks -d 'When to make addresses links that can be clicked: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s A -l all-namespaces -d 'Look into all namespaces, also for an object that lives in one'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l no-children -d 'Show events of the object alone'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s w -l watch -d 'Keep watching, and show what is written down from then on'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l absolute-time -d 'Show times instead of ages'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l demo -d 'Use the built-in demo cluster; no other cluster is needed'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -s o -l output -d 'Write the answer for a program' -r -f -a "json\t''
yaml\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l kubeconfig -d 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -s n -l namespace -d 'Namespace to look in' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l tls-server-name -d 'Name to expect in the server\'s certificate instead of its host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l insecure-skip-tls-verify -d 'Trust any server certificate: whoever is in between can read and change everything' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l certificate-authority -d 'File with the certificate authority to trust' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l client-certificate -d 'File with the client certificate to show' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l client-key -d 'File with the client certificate\'s key' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l token -d 'Bearer token to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l as -d 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l as-uid -d 'UID to act as' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l as-user-extra -d 'Extra information about the user to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l username -d 'User name to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l password -d 'Password to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l request-timeout -d 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l cache-dir -d 'Accepted for kubectl\'s sake: nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l disable-compression -d 'Ask the server for uncompressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -s v -l v -d 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l warnings-as-errors -d 'Accepted for kubectl\'s sake: the server\'s warnings are not shown' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l kuberc -d 'kuberc file to obey: it says which credential plugins may be run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l from -d 'Read a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input; may be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l hyperlinks -d 'When to make addresses links that can be clicked: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l list -d 'List all codes'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l demo -d 'Use the built-in demo cluster; no other cluster is needed'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l kubeconfig -d 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -s n -l namespace -d 'Namespace to look in' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l tls-server-name -d 'Name to expect in the server\'s certificate instead of its host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l insecure-skip-tls-verify -d 'Trust any server certificate: whoever is in between can read and change everything' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l certificate-authority -d 'File with the certificate authority to trust' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l client-certificate -d 'File with the client certificate to show' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l client-key -d 'File with the client certificate\'s key' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l token -d 'Bearer token to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l as -d 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l as-uid -d 'UID to act as' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l as-user-extra -d 'Extra information about the user to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l username -d 'User name to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l password -d 'Password to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l request-timeout -d 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l cache-dir -d 'Accepted for kubectl\'s sake: nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l disable-compression -d 'Ask the server for uncompressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -s v -l v -d 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l warnings-as-errors -d 'Accepted for kubectl\'s sake: the server\'s warnings are not shown' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l kuberc -d 'kuberc file to obey: it says which credential plugins may be run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l from -d 'Read a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input; may be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l hyperlinks -d 'When to make addresses links that can be clicked: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l demo -d 'Use the built-in demo cluster; no other cluster is needed'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s f -l filename -d 'Take type, name and namespace from a manifest; - reads standard input' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s l -l selector -d 'Labels of the resources to look at' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l wait -d 'Wait until it is ready (also said healthy), until nothing moves any more (settled), or until it is gone (deleted)' -r -f -a "ready\t''
healthy\t''
settled\t''
deleted\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l timeout -d 'How long to wait, 5m if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s o -l output -d 'Format: wide, json, yaml, name or jsonpath=TEMPLATE' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l kubeconfig -d 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s n -l namespace -d 'Namespace to look in' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l tls-server-name -d 'Name to expect in the server\'s certificate instead of its host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l insecure-skip-tls-verify -d 'Trust any server certificate: whoever is in between can read and change everything' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l certificate-authority -d 'File with the certificate authority to trust' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l client-certificate -d 'File with the client certificate to show' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l client-key -d 'File with the client certificate\'s key' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l token -d 'Bearer token to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l as -d 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l as-uid -d 'UID to act as' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l as-user-extra -d 'Extra information about the user to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l username -d 'User name to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l password -d 'Password to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l request-timeout -d 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l cache-dir -d 'Accepted for kubectl\'s sake: nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l disable-compression -d 'Ask the server for uncompressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s v -l v -d 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l warnings-as-errors -d 'Accepted for kubectl\'s sake: the server\'s warnings are not shown' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l kuberc -d 'kuberc file to obey: it says which credential plugins may be run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l from -d 'Read a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input; may be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l hyperlinks -d 'When to make addresses links that can be clicked: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s A -l all-namespaces -d 'Look into all namespaces'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l no-children -d 'Take the resource\'s own word, and look at nothing below it'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s w -l watch -d 'Keep watching: on a terminal the page is drawn anew, in a pipe every change is a line'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l explain -d 'Show the rule and the fields behind each verdict'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l all -d 'Show every resource, also many that are fine'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l absolute-time -d 'Show times instead of ages'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l demo -d 'Use the built-in demo cluster; no other cluster is needed'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s f -l filename -d 'Take type, name and namespace from a manifest; - reads standard input' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s l -l selector -d 'Labels: of the objects to show trees of, or, below a named one, of what is shown' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l depth -d 'Show this many levels below the object' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l kind -d 'Show objects of these types only, and what is below them' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l exclude-kind -d 'Hide objects of these types, not what is below them' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l only -d 'Show only what is unhealthy, and the way there' -r -f -a "unhealthy\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s o -l output -d 'Format: wide, json, yaml, name, dot, mermaid, jsonpath=TEMPLATE, custom-columns-file=FILE, or custom-columns=NAME:.metadata.name,IS:.own.verdict with the fields of a node in -o json' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l kubeconfig -d 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s n -l namespace -d 'Namespace to look in' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l tls-server-name -d 'Name to expect in the server\'s certificate instead of its host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l insecure-skip-tls-verify -d 'Trust any server certificate: whoever is in between can read and change everything' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l certificate-authority -d 'File with the certificate authority to trust' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l client-certificate -d 'File with the client certificate to show' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l client-key -d 'File with the client certificate\'s key' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l token -d 'Bearer token to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l as -d 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l as-uid -d 'UID to act as' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l as-user-extra -d 'Extra information about the user to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l username -d 'User name to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l password -d 'Password to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l request-timeout -d 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l cache-dir -d 'Accepted for kubectl\'s sake: nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l disable-compression -d 'Ask the server for uncompressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s v -l v -d 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l warnings-as-errors -d 'Accepted for kubectl\'s sake: the server\'s warnings are not shown' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l kuberc -d 'kuberc file to obey: it says which credential plugins may be run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l from -d 'Read a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input; may be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l hyperlinks -d 'When to make addresses links that can be clicked: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s A -l all-namespaces -d 'Look into all namespaces, also for an object that lives in one'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l up -d 'Show the owners instead, up to the top'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l around -d 'Show the owners and what is below, with the object marked'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l owned-only -d 'Hide what owner references do not lead to'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l deep -d 'Show what Pods name as well: ConfigMaps, Secrets, claims, service accounts'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l all -d 'Show equal siblings one by one'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l absolute-time -d 'Show times instead of ages'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s w -l watch -d 'Keep watching: on a terminal the tree is drawn anew, in a pipe every change is a line'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l fail -d 'Exit with 1 when anything in the tree is not fine'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l strict -d 'Exit with 3 when not everything could be read'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l demo -d 'Use the built-in demo cluster; no other cluster is needed'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -s o -l output -d 'Write the answer for a program' -r -f -a "json\t''
yaml\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l kubeconfig -d 'Kubeconfig file to use instead of KUBECONFIG and ~/.kube/config' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l context -d 'Context of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l cluster -d 'Cluster of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l user -d 'User of the kubeconfig to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -s n -l namespace -d 'Namespace to look in' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -s s -l server -d 'Address of the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l tls-server-name -d 'Name to expect in the server\'s certificate instead of its host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l insecure-skip-tls-verify -d 'Trust any server certificate: whoever is in between can read and change everything' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l certificate-authority -d 'File with the certificate authority to trust' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l client-certificate -d 'File with the client certificate to show' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l client-key -d 'File with the client certificate\'s key' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l token -d 'Bearer token to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l as -d 'User to act as; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l as-group -d 'Group to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l as-uid -d 'UID to act as' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l as-user-extra -d 'Extra information about the user to act as; may be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l username -d 'User name to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l password -d 'Password to log in with' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l request-timeout -d 'How long to wait for one answer, 30s if not given: seconds, or 1s, 2m, 1m30s; 0 waits forever' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l cache-dir -d 'Accepted for kubectl\'s sake: nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l disable-compression -d 'Ask the server for uncompressed answers' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -s v -l v -d 'Log to stderr: 6 every request with its status and time, 8 the headers of answers too' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l warnings-as-errors -d 'Accepted for kubectl\'s sake: the server\'s warnings are not shown' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l kuberc -d 'kuberc file to obey: it says which credential plugins may be run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l from -d 'Read a dump instead of a cluster: output of kubectl get, a folder, an archive, or - for standard input; may be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l color -d 'When to colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l hyperlinks -d 'When to make addresses links that can be clicked: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l client -d 'Ask no server'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l demo -d 'Use the built-in demo cluster; no other cluster is needed'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "completion" -d 'Print a completion script for a shell'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "events" -d 'Show the events of a whole tree in time order'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "explain" -d 'Say what a finding\'s code means and what to do'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "options" -d 'List the flags that every command accepts'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "status" -d 'Say whether a resource is healthy and, if not, why'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "tree" -d 'Show what a resource owns, with health'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "version" -d 'Print the client\'s and the server\'s version'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
