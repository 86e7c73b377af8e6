module example.com/house/plugins/annex

go 1.26
