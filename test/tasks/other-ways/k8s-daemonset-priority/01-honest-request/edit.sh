kubectl events
EDITOR='sed -i s/cpu:\ \"250\"/cpu:\ 0.25/' kubectl edit daemonset log-agent
