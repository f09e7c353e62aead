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

complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l kubeconfig -d 'Path to the kubeconfig file to use' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -s n -l namespace -d 'Namespace to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -s s -l server -d 'Address and port of the Kubernetes API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l tls-server-name -d 'Server name for certificate validation, instead of the host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l insecure-skip-tls-verify -d 'Do not validate the server\'s certificate; this makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l certificate-authority -d 'Path to a certificate file for the certificate authority' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l token -d 'Bearer token for authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l as -d 'User to impersonate; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l as-group -d 'Group to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l as-user-extra -d 'User extra to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l username -d 'Username for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l password -d 'Password for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l request-timeout -d 'Time to wait for a single server request (e.g. 1s, 2m, 1m30s), 30s by default; 0 means no timeout' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l cache-dir -d 'Accepted for compatibility with kubectl; nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l disable-compression -d 'Opt out of response compression for all requests to the server' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -s v -l v -d 'Log level: 6 logs every request with its status and duration to stderr, 8 also the response headers' -r
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l warnings-as-errors -d 'Treat warnings received from the server as errors and exit with a non-zero exit code' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l kuberc -d 'Path to the kuberc file, which says which credential plugins may run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l from -d 'Read a dump instead of a cluster: kubectl get output, a directory, an archive, or - for standard input; can be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l hyperlinks -d 'When to print URLs as hyperlinks: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -l demo -d 'Use the built-in demo cluster'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "completion" -d 'Print the completion script for a shell'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "events" -d 'List the events of a resource and everything below it'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "explain" -d 'Explain what a finding code means and what to do'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "options" -d 'Print the list of flags inherited by all commands'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "status" -d 'Show whether resources are healthy and, if not, why'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "tree" -d 'Show a resource, its objects and their health'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "version" -d 'Print the client and server version'
complete -c kubectl-op -n "__fish_kubectl_op_needs_command" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l kubeconfig -d 'Path to the kubeconfig file to use' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -s n -l namespace -d 'Namespace to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -s s -l server -d 'Address and port of the Kubernetes API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l tls-server-name -d 'Server name for certificate validation, instead of the host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l insecure-skip-tls-verify -d 'Do not validate the server\'s certificate; this makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l certificate-authority -d 'Path to a certificate file for the certificate authority' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l token -d 'Bearer token for authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l as -d 'User to impersonate; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l as-group -d 'Group to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l as-user-extra -d 'User extra to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l username -d 'Username for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l password -d 'Password for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l request-timeout -d 'Time to wait for a single server request (e.g. 1s, 2m, 1m30s), 30s by default; 0 means no timeout' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l cache-dir -d 'Accepted for compatibility with kubectl; nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l disable-compression -d 'Opt out of response compression for all requests to the server' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -s v -l v -d 'Log level: 6 logs every request with its status and duration to stderr, 8 also the response headers' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l warnings-as-errors -d 'Treat warnings received from the server as errors and exit with a non-zero exit code' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l kuberc -d 'Path to the kuberc file, which says which credential plugins may run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l from -d 'Read a dump instead of a cluster: kubectl get output, a directory, an archive, or - for standard input; can be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l hyperlinks -d 'When to print URLs as hyperlinks: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -l demo -d 'Use the built-in demo cluster'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s f -l filename -d 'Manifest that identifies the object; - reads standard input' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l since -d 'Show only events newer than a relative duration, such as 90s, 1h30m or 3d' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l types -d 'Show only events of these types: Normal, Warning' -r -f -a "Normal\t''
Warning\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s o -l output -d 'Output format: wide, json, yaml or jsonpath=TEMPLATE' -r -f -a "json\t''
jsonpath\t''
wide\t''
yaml\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l kubeconfig -d 'Path to the kubeconfig file to use' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s n -l namespace -d 'Namespace to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s s -l server -d 'Address and port of the Kubernetes API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l tls-server-name -d 'Server name for certificate validation, instead of the host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l insecure-skip-tls-verify -d 'Do not validate the server\'s certificate; this makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l certificate-authority -d 'Path to a certificate file for the certificate authority' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l token -d 'Bearer token for authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l as -d 'User to impersonate; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l as-group -d 'Group to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l as-user-extra -d 'User extra to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l username -d 'Username for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l password -d 'Password for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l request-timeout -d 'Time to wait for a single server request (e.g. 1s, 2m, 1m30s), 30s by default; 0 means no timeout' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l cache-dir -d 'Accepted for compatibility with kubectl; nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l disable-compression -d 'Opt out of response compression for all requests to the server' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s v -l v -d 'Log level: 6 logs every request with its status and duration to stderr, 8 also the response headers' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l warnings-as-errors -d 'Treat warnings received from the server as errors and exit with a non-zero exit code' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l kuberc -d 'Path to the kuberc file, which says which credential plugins may run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l from -d 'Read a dump instead of a cluster: kubectl get output, a directory, an archive, or - for standard input; can be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l hyperlinks -d 'When to print URLs as hyperlinks: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s A -l all-namespaces -d 'All namespaces: of the roots or, with a NAME, of the objects below it'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l no-children -d 'Show only the events of the object itself'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s w -l watch -d 'After listing the events, watch for new ones'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l absolute-time -d 'Show timestamps instead of ages'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -l demo -d 'Use the built-in demo cluster'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -s o -l output -d 'Output format' -r -f -a "json\t''
yaml\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l kubeconfig -d 'Path to the kubeconfig file to use' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -s n -l namespace -d 'Namespace to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -s s -l server -d 'Address and port of the Kubernetes API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l tls-server-name -d 'Server name for certificate validation, instead of the host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l insecure-skip-tls-verify -d 'Do not validate the server\'s certificate; this makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l certificate-authority -d 'Path to a certificate file for the certificate authority' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l token -d 'Bearer token for authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l as -d 'User to impersonate; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l as-group -d 'Group to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l as-user-extra -d 'User extra to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l username -d 'Username for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l password -d 'Password for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l request-timeout -d 'Time to wait for a single server request (e.g. 1s, 2m, 1m30s), 30s by default; 0 means no timeout' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l cache-dir -d 'Accepted for compatibility with kubectl; nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l disable-compression -d 'Opt out of response compression for all requests to the server' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -s v -l v -d 'Log level: 6 logs every request with its status and duration to stderr, 8 also the response headers' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l warnings-as-errors -d 'Treat warnings received from the server as errors and exit with a non-zero exit code' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l kuberc -d 'Path to the kuberc file, which says which credential plugins may run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l from -d 'Read a dump instead of a cluster: kubectl get output, a directory, an archive, or - for standard input; can be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l hyperlinks -d 'When to print URLs as hyperlinks: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l list -d 'List all codes'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -l demo -d 'Use the built-in demo cluster'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l kubeconfig -d 'Path to the kubeconfig file to use' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -s n -l namespace -d 'Namespace to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -s s -l server -d 'Address and port of the Kubernetes API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l tls-server-name -d 'Server name for certificate validation, instead of the host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l insecure-skip-tls-verify -d 'Do not validate the server\'s certificate; this makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l certificate-authority -d 'Path to a certificate file for the certificate authority' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l token -d 'Bearer token for authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l as -d 'User to impersonate; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l as-group -d 'Group to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l as-user-extra -d 'User extra to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l username -d 'Username for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l password -d 'Password for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l request-timeout -d 'Time to wait for a single server request (e.g. 1s, 2m, 1m30s), 30s by default; 0 means no timeout' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l cache-dir -d 'Accepted for compatibility with kubectl; nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l disable-compression -d 'Opt out of response compression for all requests to the server' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -s v -l v -d 'Log level: 6 logs every request with its status and duration to stderr, 8 also the response headers' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l warnings-as-errors -d 'Treat warnings received from the server as errors and exit with a non-zero exit code' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l kuberc -d 'Path to the kuberc file, which says which credential plugins may run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l from -d 'Read a dump instead of a cluster: kubectl get output, a directory, an archive, or - for standard input; can be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l hyperlinks -d 'When to print URLs as hyperlinks: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -l demo -d 'Use the built-in demo cluster'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s f -l filename -d 'Manifest that identifies the object; - reads standard input' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s l -l selector -d 'Selector (label query) to filter the resources' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l wait -d 'Wait until the resource is ready (the default), settled (no changes in progress) or deleted' -r -f -a "ready\t''
healthy\t''
settled\t''
deleted\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l timeout -d 'Maximum time to wait (e.g. 30s, 1m30s, 1d); 0 means no limit' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l log-lines -d 'Number of lines to show of the log of a crashed container, 1000 at most; 0 shows none' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s o -l output -d 'Output format: wide, json, yaml, name or jsonpath=TEMPLATE' -r -f -a "json\t''
jsonpath\t''
name\t''
wide\t''
yaml\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l kubeconfig -d 'Path to the kubeconfig file to use' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s n -l namespace -d 'Namespace to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s s -l server -d 'Address and port of the Kubernetes API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l tls-server-name -d 'Server name for certificate validation, instead of the host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l insecure-skip-tls-verify -d 'Do not validate the server\'s certificate; this makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l certificate-authority -d 'Path to a certificate file for the certificate authority' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l token -d 'Bearer token for authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l as -d 'User to impersonate; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l as-group -d 'Group to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l as-user-extra -d 'User extra to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l username -d 'Username for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l password -d 'Password for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l request-timeout -d 'Time to wait for a single server request (e.g. 1s, 2m, 1m30s), 30s by default; 0 means no timeout' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l cache-dir -d 'Accepted for compatibility with kubectl; nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l disable-compression -d 'Opt out of response compression for all requests to the server' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s v -l v -d 'Log level: 6 logs every request with its status and duration to stderr, 8 also the response headers' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l warnings-as-errors -d 'Treat warnings received from the server as errors and exit with a non-zero exit code' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l kuberc -d 'Path to the kuberc file, which says which credential plugins may run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l from -d 'Read a dump instead of a cluster: kubectl get output, a directory, an archive, or - for standard input; can be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l hyperlinks -d 'When to print URLs as hyperlinks: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s A -l all-namespaces -d 'Search all namespaces'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l no-children -d 'Use only the resource\'s own status, without the objects below it'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s w -l watch -d 'Watch for changes: redraw on a terminal, print a line per change in a pipe'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l explain -d 'Show the rule and the fields behind each verdict'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l all -d 'List each resource, even if many are healthy or equal'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l absolute-time -d 'Show timestamps instead of ages'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -l demo -d 'Use the built-in demo cluster'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s f -l filename -d 'Manifest that identifies the object; - reads standard input' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s l -l selector -d 'Selector (label query) to filter the resources or, with a NAME, the objects below it' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l depth -d 'Maximum number of levels to show' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l kind -d 'Show only these types (comma-separated)' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l exclude-kind -d 'Hide these types (comma-separated), but not the objects below them' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l only -d 'Show only unhealthy objects and the path to them' -r -f -a "unhealthy\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s o -l output -d 'Output format: wide, json, yaml, name, dot, mermaid, jsonpath=TEMPLATE, custom-columns-file=FILE or custom-columns=NAME:.metadata.name,VERDICT:.own.verdict, where the paths are fields of a node in -o json' -r -f -a "custom-columns\t''
custom-columns-file\t''
dot\t''
json\t''
jsonpath\t''
mermaid\t''
name\t''
wide\t''
yaml\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l kubeconfig -d 'Path to the kubeconfig file to use' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s n -l namespace -d 'Namespace to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s s -l server -d 'Address and port of the Kubernetes API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l tls-server-name -d 'Server name for certificate validation, instead of the host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l insecure-skip-tls-verify -d 'Do not validate the server\'s certificate; this makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l certificate-authority -d 'Path to a certificate file for the certificate authority' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l token -d 'Bearer token for authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l as -d 'User to impersonate; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l as-group -d 'Group to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l as-user-extra -d 'User extra to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l username -d 'Username for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l password -d 'Password for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l request-timeout -d 'Time to wait for a single server request (e.g. 1s, 2m, 1m30s), 30s by default; 0 means no timeout' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l cache-dir -d 'Accepted for compatibility with kubectl; nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l disable-compression -d 'Opt out of response compression for all requests to the server' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s v -l v -d 'Log level: 6 logs every request with its status and duration to stderr, 8 also the response headers' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l warnings-as-errors -d 'Treat warnings received from the server as errors and exit with a non-zero exit code' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l kuberc -d 'Path to the kuberc file, which says which credential plugins may run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l from -d 'Read a dump instead of a cluster: kubectl get output, a directory, an archive, or - for standard input; can be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l hyperlinks -d 'When to print URLs as hyperlinks: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s A -l all-namespaces -d 'All namespaces: of the roots or, with a NAME, of the objects below it'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l up -d 'Show the chain of owners instead of the objects below'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l around -d 'Show both the owners and the objects below'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l owned-only -d 'Show only objects that are connected by owner references'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l deep -d 'Also show what Pods refer to: ConfigMaps, Secrets, volume claims, service accounts'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l all -d 'Show all objects, without folding equal siblings'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l absolute-time -d 'Show timestamps instead of ages'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s w -l watch -d 'Watch for changes: redraw on a terminal, print a line per change in a pipe'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l fail -d 'Exit with 1 if anything in the tree is not healthy'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l strict -d 'Exit with 3 if not everything could be read'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -l demo -d 'Use the built-in demo cluster'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -s o -l output -d 'Output format' -r -f -a "json\t''
yaml\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l kubeconfig -d 'Path to the kubeconfig file to use' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l context -d 'Name of the kubeconfig context to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l cluster -d 'Name of the kubeconfig cluster to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l user -d 'Name of the kubeconfig user to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -s n -l namespace -d 'Namespace to use' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -s s -l server -d 'Address and port of the Kubernetes API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l tls-server-name -d 'Server name for certificate validation, instead of the host name' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l insecure-skip-tls-verify -d 'Do not validate the server\'s certificate; this makes the connection insecure' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l certificate-authority -d 'Path to a certificate file for the certificate authority' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l client-certificate -d 'Path to a client certificate file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l client-key -d 'Path to a client key file for TLS' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l token -d 'Bearer token for authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l as -d 'User to impersonate; a service account is system:serviceaccount:NAMESPACE:NAME' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l as-group -d 'Group to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l as-uid -d 'UID to impersonate' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l as-user-extra -d 'User extra to impersonate; can be repeated' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l username -d 'Username for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l password -d 'Password for basic authentication to the API server' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l request-timeout -d 'Time to wait for a single server request (e.g. 1s, 2m, 1m30s), 30s by default; 0 means no timeout' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l cache-dir -d 'Accepted for compatibility with kubectl; nothing is cached on disk' -r -f -a "(__fish_complete_directories)"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l disable-compression -d 'Opt out of response compression for all requests to the server' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -s v -l v -d 'Log level: 6 logs every request with its status and duration to stderr, 8 also the response headers' -r
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l warnings-as-errors -d 'Treat warnings received from the server as errors and exit with a non-zero exit code' -r -f -a "true\t''
false\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l kuberc -d 'Path to the kuberc file, which says which credential plugins may run' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l from -d 'Read a dump instead of a cluster: kubectl get output, a directory, an archive, or - for standard input; can be repeated' -r -F
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l color -d 'When to use colour: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l hyperlinks -d 'When to print URLs as hyperlinks: auto, always or never' -r -f -a "auto\t''
always\t''
never\t''"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l client -d 'Print the client version only (no server required)'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -l demo -d 'Use the built-in demo cluster'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -s h -l help -d 'Print help'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "completion" -d 'Print the completion script for a shell'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "events" -d 'List the events of a resource and everything below it'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "explain" -d 'Explain what a finding code means and what to do'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "options" -d 'Print the list of flags inherited by all commands'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "status" -d 'Show whether resources are healthy and, if not, why'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "tree" -d 'Show a resource, its objects and their health'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "version" -d 'Print the client and server version'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand help; and not __fish_seen_subcommand_from completion events explain options status tree version help" -f -a "help" -d 'Print this message or the help of the given subcommand(s)'
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand completion" -f -a "bash zsh fish powershell"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand events" -f
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand explain" -f -a "OP-H001 OP-H002 OP-H003 OP-H004 OP-H005 OP-H006 OP-H007 OP-H010 OP-H011 OP-H012 OP-H013 OP-H014 OP-H015 OP-H016 OP-H017 OP-H018 OP-H019 OP-H020 OP-H021 OP-H022 OP-H023 OP-H024 OP-H025 OP-H026 OP-T001 OP-T002 OP-T003 OP-T004 OP-T005 OP-T006 OP-T007 OP-T008"
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand options" -f
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand status" -f
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand tree" -f
complete -c kubectl-op -n "__fish_kubectl_op_using_subcommand version" -f
