module edgewright.test/fieldclient

go 1.21
