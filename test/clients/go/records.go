package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// The records as typed clients of the field have them: pointers without omitempty, so that whatever was not given is sent
// as null; and, under Plain, values, so that it is sent as "", 0 or false. Times without a zone are refused.

type fieldTime struct{ time.Time }

const timeForm = "2006-01-02 15:04:05-07"

func (t *fieldTime) UnmarshalJSON(given []byte) error {
	text := strings.Trim(string(given), `"`)
	if text == "null" {
		return nil
	}
	parsed, err := time.Parse(timeForm, text)
	if err != nil {
		return fmt.Errorf("%s is no time: %w", text, err)
	}
	t.Time = parsed
	return nil
}

func (t fieldTime) MarshalJSON() ([]byte, error) { return json.Marshal(t.Format(timeForm)) }

type division struct {
	ID          *int       `json:"id"`
	LastUpdated *fieldTime `json:"lastUpdated"`
	Name        *string    `json:"name"`
}

type region struct {
	ID           *int       `json:"id"`
	LastUpdated  *fieldTime `json:"lastUpdated"`
	Name         *string    `json:"name"`
	Division     *int       `json:"division"`
	DivisionName *string    `json:"divisionName"`
}

type place struct {
	ID          *int       `json:"id"`
	LastUpdated *fieldTime `json:"lastUpdated"`
	Name        *string    `json:"name"`
	ShortName   *string    `json:"shortName"`
	Address     *string    `json:"address"`
	City        *string    `json:"city"`
	State       *string    `json:"state"`
	Zip         *string    `json:"zip"`
	Phone       *string    `json:"phone"`
	POC         *string    `json:"poc"`
	Email       *string    `json:"email"`
	Comments    *string    `json:"comments"`
	RegionID    *int       `json:"regionId"`
	RegionName  *string    `json:"region"`
}

type kind struct {
	ID          *int       `json:"id"`
	LastUpdated *fieldTime `json:"lastUpdated"`
	Name        *string    `json:"name"`
	Description *string    `json:"description"`
	UseInTable  *string    `json:"useInTable"`
}

type status struct {
	ID          *int       `json:"id"`
	LastUpdated *fieldTime `json:"lastUpdated"`
	Name        *string    `json:"name"`
	Description *string    `json:"description"`
}

type tenant struct {
	ID          *int       `json:"id"`
	LastUpdated *fieldTime `json:"lastUpdated"`
	Name        *string    `json:"name"`
	Active      *bool      `json:"active"`
	ParentID    *int       `json:"parentId"`
	ParentName  *string    `json:"parentName"`
}

type cdn struct {
	ID            *int       `json:"id"`
	LastUpdated   *fieldTime `json:"lastUpdated"`
	Name          *string    `json:"name"`
	DomainName    *string    `json:"domainName"`
	DNSSECEnabled *bool      `json:"dnssecEnabled"`
}

type coordinate struct {
	ID          *int       `json:"id"`
	LastUpdated *fieldTime `json:"lastUpdated"`
	Name        *string    `json:"name"`
	Latitude    *float64   `json:"latitude"`
	Longitude   *float64   `json:"longitude"`
}

type cachegroup struct {
	ID                  *int       `json:"id"`
	LastUpdated         *fieldTime `json:"lastUpdated"`
	Name                *string    `json:"name"`
	ShortName           *string    `json:"shortName"`
	Latitude            *float64   `json:"latitude"`
	Longitude           *float64   `json:"longitude"`
	ParentName          *string    `json:"parentCachegroupName"`
	ParentID            *int       `json:"parentCachegroupId"`
	SecondaryParentName *string    `json:"secondaryParentCachegroupName"`
	SecondaryParentID   *int       `json:"secondaryParentCachegroupId"`
	FallbackToClosest   *bool      `json:"fallbackToClosest"`
	LocalizationMethods *[]string  `json:"localizationMethods"`
	Type                *string    `json:"typeName"`
	TypeID              *int       `json:"typeId"`
}

type plainCachegroup struct {
	ID                  int       `json:"id"`
	LastUpdated         fieldTime `json:"lastUpdated"`
	Name                string    `json:"name"`
	ShortName           string    `json:"shortName"`
	Latitude            float64   `json:"latitude"`
	Longitude           float64   `json:"longitude"`
	ParentName          string    `json:"parentCachegroupName"`
	ParentID            int       `json:"parentCachegroupId"`
	SecondaryParentName string    `json:"secondaryParentCachegroupName"`
	SecondaryParentID   int       `json:"secondaryParentCachegroupId"`
	FallbackToClosest   bool      `json:"fallbackToClosest"`
	LocalizationMethods []string  `json:"localizationMethods"`
	Type                string    `json:"typeName"`
	TypeID              int       `json:"typeId"`
}

type asn struct {
	ID           *int       `json:"id"`
	LastUpdated  *fieldTime `json:"lastUpdated"`
	ASN          *int       `json:"asn"`
	Cachegroup   *string    `json:"cachegroup"`
	CachegroupID *int       `json:"cachegroupId"`
}

type profile struct {
	ID              *int       `json:"id"`
	LastUpdated     *fieldTime `json:"lastUpdated"`
	Name            *string    `json:"name"`
	Description     *string    `json:"description"`
	CDNName         *string    `json:"cdnName"`
	CDNID           *int       `json:"cdn"`
	RoutingDisabled *bool      `json:"routingDisabled"`
	Type            *string    `json:"type"`
}

type parameter struct {
	ID          *int       `json:"id"`
	LastUpdated *fieldTime `json:"lastUpdated"`
	Name        *string    `json:"name"`
	ConfigFile  *string    `json:"configFile"`
	Value       *string    `json:"value"`
	Secure      *bool      `json:"secure"`
	Profiles    *[]string  `json:"profiles"`
}

type profileParameter struct {
	LastUpdated *fieldTime `json:"lastUpdated"`
	Profile     *string    `json:"profile"`
	ProfileID   *int       `json:"profileId"`
	Parameter   *string    `json:"parameter"`
	ParameterID *int       `json:"parameterId"`
}

type server struct {
	ID             *int       `json:"id"`
	LastUpdated    *fieldTime `json:"lastUpdated"`
	HostName       *string    `json:"hostName"`
	DomainName     *string    `json:"domainName"`
	Cachegroup     *string    `json:"cachegroup"`
	CachegroupID   *int       `json:"cachegroupId"`
	CDNID          *int       `json:"cdnId"`
	CDNName        *string    `json:"cdnName"`
	FQDN           *string    `json:"fqdn"`
	GUID           *string    `json:"guid"`
	HTTPSPort      *int       `json:"httpsPort"`
	ILOIPAddress   *string    `json:"iloIpAddress"`
	ILOIPGateway   *string    `json:"iloIpGateway"`
	ILOIPNetmask   *string    `json:"iloIpNetmask"`
	ILOPassword    *string    `json:"iloPassword"`
	ILOUsername    *string    `json:"iloUsername"`
	InterfaceMtu   *int       `json:"interfaceMtu"`
	InterfaceName  *string    `json:"interfaceName"`
	IP6Address     *string    `json:"ip6Address"`
	IP6Gateway     *string    `json:"ip6Gateway"`
	IPAddress      *string    `json:"ipAddress"`
	IPGateway      *string    `json:"ipGateway"`
	IPNetmask      *string    `json:"ipNetmask"`
	MgmtIPAddress  *string    `json:"mgmtIpAddress"`
	MgmtIPGateway  *string    `json:"mgmtIpGateway"`
	MgmtIPNetmask  *string    `json:"mgmtIpNetmask"`
	OfflineReason  *string    `json:"offlineReason"`
	PhysLocation   *string    `json:"physLocation"`
	PhysLocationID *int       `json:"physLocationId"`
	Profile        *string    `json:"profile"`
	ProfileDesc    *string    `json:"profileDesc"`
	ProfileID      *int       `json:"profileId"`
	Rack           *string    `json:"rack"`
	RevalPending   *bool      `json:"revalPending"`
	RouterHostName *string    `json:"routerHostName"`
	RouterPortName *string    `json:"routerPortName"`
	Status         *string    `json:"status"`
	StatusID       *int       `json:"statusId"`
	TCPPort        *int       `json:"tcpPort"`
	Type           *string    `json:"type"`
	TypeID         *int       `json:"typeId"`
	UpdPending     *bool      `json:"updPending"`
	XMPPID         *string    `json:"xmppId"`
	XMPPPasswd     *string    `json:"xmppPasswd"`
}

type plainServer struct {
	ID             int       `json:"id"`
	LastUpdated    fieldTime `json:"lastUpdated"`
	HostName       string    `json:"hostName"`
	DomainName     string    `json:"domainName"`
	Cachegroup     string    `json:"cachegroup"`
	CachegroupID   int       `json:"cachegroupId"`
	CDNID          int       `json:"cdnId"`
	CDNName        string    `json:"cdnName"`
	GUID           string    `json:"guid"`
	HTTPSPort      int       `json:"httpsPort"`
	ILOIPAddress   string    `json:"iloIpAddress"`
	ILOIPGateway   string    `json:"iloIpGateway"`
	ILOIPNetmask   string    `json:"iloIpNetmask"`
	ILOPassword    string    `json:"iloPassword"`
	ILOUsername    string    `json:"iloUsername"`
	InterfaceMtu   int       `json:"interfaceMtu"`
	InterfaceName  string    `json:"interfaceName"`
	IP6Address     string    `json:"ip6Address"`
	IP6Gateway     string    `json:"ip6Gateway"`
	IPAddress      string    `json:"ipAddress"`
	IPGateway      string    `json:"ipGateway"`
	IPNetmask      string    `json:"ipNetmask"`
	MgmtIPAddress  string    `json:"mgmtIpAddress"`
	MgmtIPGateway  string    `json:"mgmtIpGateway"`
	MgmtIPNetmask  string    `json:"mgmtIpNetmask"`
	OfflineReason  string    `json:"offlineReason"`
	PhysLocation   string    `json:"physLocation"`
	PhysLocationID int       `json:"physLocationId"`
	Profile        string    `json:"profile"`
	ProfileDesc    string    `json:"profileDesc"`
	ProfileID      int       `json:"profileId"`
	Rack           string    `json:"rack"`
	RevalPending   bool      `json:"revalPending"`
	RouterHostName string    `json:"routerHostName"`
	RouterPortName string    `json:"routerPortName"`
	Status         string    `json:"status"`
	StatusID       int       `json:"statusId"`
	TCPPort        int       `json:"tcpPort"`
	Type           string    `json:"type"`
	TypeID         int       `json:"typeId"`
	UpdPending     bool      `json:"updPending"`
	XMPPID         string    `json:"xmppId"`
	XMPPPasswd     string    `json:"xmppPasswd"`
}

type match struct {
	Type      string `json:"type"`
	SetNumber int    `json:"setNumber"`
	Pattern   string `json:"pattern"`
}

type deliveryService struct {
	ID                   *int       `json:"id"`
	LastUpdated          *fieldTime `json:"lastUpdated"`
	Active               *bool      `json:"active"`
	AnonymousBlocking    *bool      `json:"anonymousBlockingEnabled"`
	CacheURL             *string    `json:"cacheurl"`
	CCRDNSTTL            *int       `json:"ccrDnsTtl"`
	CDNID                *int       `json:"cdnId"`
	CDNName              *string    `json:"cdnName"`
	CheckPath            *string    `json:"checkPath"`
	DeepCachingType      *string    `json:"deepCachingType"`
	DisplayName          *string    `json:"displayName"`
	DNSBypassCNAME       *string    `json:"dnsBypassCname"`
	DNSBypassIP          *string    `json:"dnsBypassIp"`
	DNSBypassIP6         *string    `json:"dnsBypassIp6"`
	DNSBypassTTL         *int       `json:"dnsBypassTtl"`
	DSCP                 *int       `json:"dscp"`
	EdgeHeaderRewrite    *string    `json:"edgeHeaderRewrite"`
	ExampleURLs          []string   `json:"exampleURLs"`
	FQPacingRate         *int       `json:"fqPacingRate"`
	GeoLimit             *int       `json:"geoLimit"`
	GeoLimitCountries    *string    `json:"geoLimitCountries"`
	GeoLimitRedirectURL  *string    `json:"geoLimitRedirectURL"`
	GeoProvider          *int       `json:"geoProvider"`
	GlobalMaxMBPS        *int       `json:"globalMaxMbps"`
	GlobalMaxTPS         *int       `json:"globalMaxTps"`
	HTTPBypassFQDN       *string    `json:"httpBypassFqdn"`
	InfoURL              *string    `json:"infoUrl"`
	InitialDispersion    *int       `json:"initialDispersion"`
	IPV6RoutingEnabled   *bool      `json:"ipv6RoutingEnabled"`
	LogsEnabled          *bool      `json:"logsEnabled"`
	LongDesc             *string    `json:"longDesc"`
	LongDesc1            *string    `json:"longDesc1"`
	LongDesc2            *string    `json:"longDesc2"`
	MatchList            *[]match   `json:"matchList"`
	MaxDNSAnswers        *int       `json:"maxDnsAnswers"`
	MaxOriginConnections *int       `json:"maxOriginConnections"`
	MidHeaderRewrite     *string    `json:"midHeaderRewrite"`
	MissLat              *float64   `json:"missLat"`
	MissLong             *float64   `json:"missLong"`
	MultiSiteOrigin      *bool      `json:"multiSiteOrigin"`
	MSOAlgorithm         *int       `json:"multiSiteOriginAlgorithm"`
	OriginShield         *string    `json:"originShield"`
	OrgServerFQDN        *string    `json:"orgServerFqdn"`
	ProfileDesc          *string    `json:"profileDescription"`
	ProfileID            *int       `json:"profileId"`
	ProfileName          *string    `json:"profileName"`
	Protocol             *int       `json:"protocol"`
	QStringIgnore        *int       `json:"qstringIgnore"`
	RangeRequestHandling *int       `json:"rangeRequestHandling"`
	RegexRemap           *string    `json:"regexRemap"`
	RegionalGeoBlocking  *bool      `json:"regionalGeoBlocking"`
	RemapText            *string    `json:"remapText"`
	RoutingName          *string    `json:"routingName"`
	Signed               bool       `json:"signed"`
	SigningAlgorithm     *string    `json:"signingAlgorithm"`
	SSLKeyVersion        *int       `json:"sslKeyVersion"`
	TenantID             *int       `json:"tenantId"`
	Tenant               *string    `json:"tenant"`
	TRRequestHeaders     *string    `json:"trRequestHeaders"`
	TRResponseHeaders    *string    `json:"trResponseHeaders"`
	Type                 *string    `json:"type"`
	TypeID               *int       `json:"typeId"`
	XMLID                *string    `json:"xmlId"`
}

type origin struct {
	ID                *int       `json:"id"`
	LastUpdated       *fieldTime `json:"lastUpdated"`
	Name              *string    `json:"name"`
	FQDN              *string    `json:"fqdn"`
	Protocol          *string    `json:"protocol"`
	Port              *int       `json:"port"`
	IPAddress         *string    `json:"ipAddress"`
	IP6Address        *string    `json:"ip6Address"`
	IsPrimary         *bool      `json:"isPrimary"`
	Cachegroup        *string    `json:"cachegroup"`
	CachegroupID      *int       `json:"cachegroupId"`
	Coordinate        *string    `json:"coordinate"`
	CoordinateID      *int       `json:"coordinateId"`
	DeliveryService   *string    `json:"deliveryService"`
	DeliveryServiceID *int       `json:"deliveryServiceId"`
	Profile           *string    `json:"profile"`
	ProfileID         *int       `json:"profileId"`
	Tenant            *string    `json:"tenant"`
	TenantID          *int       `json:"tenantId"`
}

type staticDNSEntry struct {
	ID                *int       `json:"id"`
	LastUpdated       *fieldTime `json:"lastUpdated"`
	Host              *string    `json:"host"`
	Address           *string    `json:"address"`
	TTL               *int64     `json:"ttl"`
	Type              *string    `json:"type"`
	TypeID            *int       `json:"typeId"`
	DeliveryService   *string    `json:"deliveryservice"`
	DeliveryServiceID *int       `json:"deliveryserviceId"`
	Cachegroup        *string    `json:"cachegroup"`
	CachegroupID      *int       `json:"cachegroupId"`
}

type user struct {
	ID                   *int       `json:"id"`
	LastUpdated          *fieldTime `json:"lastUpdated"`
	Username             *string    `json:"username"`
	FullName             *string    `json:"fullName"`
	Email                *string    `json:"email"`
	Role                 *int       `json:"role"`
	RoleName             *string    `json:"rolename"`
	TenantID             *int       `json:"tenantId"`
	Tenant               *string    `json:"tenant"`
	AddressLine1         *string    `json:"addressLine1"`
	AddressLine2         *string    `json:"addressLine2"`
	City                 *string    `json:"city"`
	Company              *string    `json:"company"`
	Country              *string    `json:"country"`
	GID                  *int       `json:"gid"`
	NewUser              *bool      `json:"newUser"`
	PhoneNumber          *string    `json:"phoneNumber"`
	PostalCode           *string    `json:"postalCode"`
	PublicSSHKey         *string    `json:"publicSshKey"`
	RegistrationSent     *fieldTime `json:"registrationSent"`
	StateOrProvince      *string    `json:"stateOrProvince"`
	UID                  *int       `json:"uid"`
	LocalPassword        *string    `json:"localPasswd"`
	ConfirmLocalPassword *string    `json:"confirmLocalPasswd"`
}
