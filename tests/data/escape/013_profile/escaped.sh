grep -q owned @HOME@/.bashrc
