package main

import (
	"net/http"
	"strconv"
)

func itoa(id int) string { return strconv.Itoa(id) }

func typeOf(c client, name string) *int { return one[kind](c, "/types", "name="+name).ID }

func inventory(c client) {
	lives(c, "/types", "name=GO_TYPE", kind{Name: p("GO_TYPE"), Description: p("of a client"), UseInTable: p("go_table")},
		func(r kind) int { return *r.ID }, func(r *kind) { r.Description = p("other") },
		func(r kind) bool { return *r.Description == "other" })
	lives(c, "/statuses", "name=GO_STATUS", status{Name: p("GO_STATUS"), Description: p("gone soon")},
		func(r status) int { return *r.ID }, func(r *status) { r.Description = nil },
		func(r status) bool { return r.Description == nil })
	d := lives(c, "/divisions", "name=go-division", division{Name: p("go-division")},
		func(r division) int { return *r.ID }, func(*division) {}, func(division) bool { return true })
	r := lives(c, "/regions", "name=go-region", region{Name: p("go-region"), Division: d.ID},
		func(r region) int { return *r.ID }, func(r *region) { r.DivisionName = nil },
		func(r region) bool { return *r.DivisionName == "go-division" })
	where := lives(c, "/phys_locations", "name=go-place",
		place{Name: p("go-place"), ShortName: p("gp"), Address: p("1 Way"), City: p("Town"), State: p("ST"), Zip: p("1"), RegionID: r.ID, Email: p("a@b")},
		func(r place) int { return *r.ID }, func(r *place) { r.Email = p("") },
		func(r place) bool { return r.Email == nil && *r.RegionName == "go-region" })
	net := lives(c, "/cdns", "name=go-cdn", cdn{Name: p("go-cdn"), DomainName: p("go.example.net")},
		func(r cdn) int { return *r.ID }, func(r *cdn) { r.DomainName = p("go2.example.net") },
		func(r cdn) bool { return *r.DomainName == "go2.example.net" && !*r.DNSSECEnabled })
	spot := lives(c, "/coordinates", "name=go-spot", coordinate{Name: p("go-spot")},
		func(r coordinate) int { return *r.ID }, func(r *coordinate) { r.Latitude = p(1.5) },
		func(r coordinate) bool { return *r.Latitude == 1.5 && *r.Longitude == 0 })
	mid := lives(c, "/cachegroups", "name=go-mid", plainCachegroup{Name: "go-mid", ShortName: "gm", TypeID: *typeOf(c, "MID_LOC")},
		func(r plainCachegroup) int { return r.ID }, func(r *plainCachegroup) { r.ShortName = "gm2" },
		func(r plainCachegroup) bool { return r.ShortName == "gm2" && r.ParentID == 0 })
	edge := lives(c, "/cachegroups", "name=go-edge",
		cachegroup{Name: p("go-edge"), ShortName: p("ge"), TypeID: typeOf(c, "EDGE_LOC"), ParentID: p(mid.ID)},
		func(r cachegroup) int { return *r.ID }, func(r *cachegroup) { r.ParentID, r.FallbackToClosest = nil, nil },
		func(r cachegroup) bool {
			return r.ParentID == nil && r.ParentName == nil && *r.FallbackToClosest && len(*r.LocalizationMethods) == 0
		})
	lives(c, "/asns", "asn=64777", asn{ASN: p(64777), CachegroupID: edge.ID},
		func(r asn) int { return *r.ID }, func(r *asn) { r.Cachegroup = p("") },
		func(r asn) bool { return *r.Cachegroup == "go-edge" })
	caches := lives(c, "/profiles", "name=GO_EDGE",
		profile{Name: p("GO_EDGE"), Description: p("go edge"), Type: p("ATS_PROFILE"), CDNID: net.ID},
		func(r profile) int { return *r.ID }, func(r *profile) { r.RoutingDisabled = nil },
		func(r profile) bool { return !*r.RoutingDisabled && *r.CDNName == "go-cdn" })
	setting := lives(c, "/parameters", "name=go-setting",
		parameter{Name: p("go-setting"), ConfigFile: p("chkconfig"), Value: p("0:off\t1:on")},
		func(r parameter) int { return *r.ID }, func(r *parameter) { r.Secure, r.Profiles = nil, nil },
		func(r parameter) bool { return !*r.Secure && *r.Value == "0:off\t1:on" })
	c.ask(http.MethodPost, "/profileparameters", profileParameter{ProfileID: caches.ID, ParameterID: setting.ID}, nil)
	removals = append(removals, func() {
		c.ask(http.MethodDelete, "/profileparameters/"+itoa(*caches.ID)+"/"+itoa(*setting.ID), nil, nil)
	})
	machines(c, *net.ID, *edge.ID, *caches.ID, *where.ID)
	services(c, *net.ID, *edge.ID, *spot.ID)
}

func machines(c client, net, group, profile, place int) {
	up := one[status](c, "/statuses", "name=REPORTED").ID
	kind := typeOf(c, "EDGE")
	lives(c, "/servers", "hostName=go-null",
		server{HostName: p("go-null"), DomainName: p("go.example.net"), CDNID: &net, CachegroupID: &group, ProfileID: &profile,
			PhysLocationID: &place, StatusID: up, TypeID: kind, InterfaceName: p("eth0"), InterfaceMtu: p(1500),
			IPAddress: p("192.0.2.9"), IPNetmask: p("255.255.255.0"), IPGateway: p("192.0.2.1"), Rack: p("R1"), TCPPort: p(80)},
		func(r server) int { return *r.ID }, func(r *server) { r.Rack, r.XMPPID, r.TCPPort = nil, nil, nil },
		func(r server) bool {
			return r.Rack == nil && r.TCPPort == nil && !*r.UpdPending && *r.Profile == "GO_EDGE"
		})
	lives(c, "/servers", "hostName=go-plain",
		plainServer{HostName: "go-plain", DomainName: "go.example.net", CDNID: net, CachegroupID: group, ProfileID: profile,
			PhysLocationID: place, StatusID: *up, TypeID: *kind, InterfaceName: "eth0", InterfaceMtu: 1500,
			IPAddress: "192.0.2.10", IPNetmask: "255.255.255.0", IPGateway: "192.0.2.1", TCPPort: 80, Rack: "R1"},
		func(r plainServer) int { return r.ID }, func(r *plainServer) { r.Rack = "" },
		func(r plainServer) bool { return r.Rack == "" && r.HTTPSPort == 0 && r.TCPPort == 80 })
}

func services(c client, net, group, spot int) {
	owner := one[tenant](c, "/tenants", "name=root")
	ds := deliveryService{XMLID: p("go-service"), DisplayName: p("Go"), CDNID: &net, TypeID: typeOf(c, "HTTP"), TenantID: owner.ID,
		Active: p(false), DSCP: p(0), GeoLimit: p(0), GeoProvider: p(0), LogsEnabled: p(false), RegionalGeoBlocking: p(false),
		IPV6RoutingEnabled: p(true), MultiSiteOrigin: p(false), Protocol: p(0), MissLat: p(0.0), MissLong: p(0.0),
		OrgServerFQDN: p("http://origin.example.org"), QStringIgnore: p(0), RangeRequestHandling: p(0), InitialDispersion: p(1),
		ProfileName: p(""), SigningAlgorithm: p(""), LongDesc: p("to be cleared")}
	made := lives(c, "/deliveryservices", "xmlId=go-service", ds,
		func(r deliveryService) int { return *r.ID },
		func(r *deliveryService) {
			r.LongDesc, r.DeepCachingType, r.RoutingName, r.SigningAlgorithm = nil, nil, p(""), nil
		},
		func(r deliveryService) bool {
			return r.LongDesc == nil && *r.DeepCachingType == "NEVER" && *r.RoutingName == "cdn" && *r.SSLKeyVersion == 0 && *r.Tenant == "root"
		})
	lives(c, "/origins", "name=go-origin",
		origin{Name: p("go-origin"), FQDN: p("second.example.org"), Protocol: p("http"), DeliveryServiceID: made.ID, CoordinateID: &spot},
		func(r origin) int { return *r.ID }, func(r *origin) { r.CoordinateID = nil },
		func(r origin) bool {
			return r.CoordinateID == nil && r.Coordinate == nil && !*r.IsPrimary && *r.Tenant == "root"
		})
	lives(c, "/staticdnsentries", "host=go-host",
		staticDNSEntry{Host: p("go-host"), Address: p("192.0.2.77"), TTL: p(int64(60)), TypeID: typeOf(c, "A_RECORD"), DeliveryServiceID: made.ID, CachegroupID: &group},
		func(r staticDNSEntry) int { return *r.ID }, func(r *staticDNSEntry) { r.CachegroupID = nil },
		func(r staticDNSEntry) bool { return r.CachegroupID == nil && *r.DeliveryService == "go-service" })
}

// people have no route by which they are removed: the service of the test goes as a whole.
func people(c client) {
	root := one[tenant](c, "/tenants", "name=root")
	lives(c, "/tenants", "name=go-tenant", tenant{Name: p("go-tenant"), ParentID: root.ID},
		func(r tenant) int { return *r.ID }, func(r *tenant) { r.Active = p(true) },
		func(r tenant) bool { return *r.Active && *r.ParentName == "root" })
	roles := one[status](c, "/roles", "name=portal")
	c.ask(http.MethodPost, "/users", user{Username: p("go-user"), FullName: p("Go"), Email: p("go@example.net"), Role: roles.ID,
		Company: p("none"), LocalPassword: p("a-Password-of-tests"), ConfirmLocalPassword: p("a-Password-of-tests")}, nil)
	made := goesOn(c, "/users", "username=go-user", func(r user) int { return *r.ID },
		func(r *user) { r.Company, r.NewUser, r.TenantID = nil, nil, nil },
		func(r user) bool { return r.Company == nil && !*r.NewUser && *r.Tenant == "root" })
	removals = removals[:len(removals)-1]
	if made.LocalPassword != nil {
		fail("the user shows a password")
	}
}
