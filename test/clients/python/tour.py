"""README's tour with a client that openapi-python-client makes of the OpenAPI document.

There is no cast in it, so what the document says of types is enough: mypy checks it. Prints what it found as JSON.

    python3 tour.py http://127.0.0.1:8080 admin PASSWORD
"""

import json
import sys
from typing import TypeVar

from edgewright_client import Client
from edgewright_client.api.cdns import get_cdns, put_cdns_id
from edgewright_client.api.logs import get_logs
from edgewright_client.api.servers import (
    get_servers,
    get_servers_id,
    get_servers_id_configfiles_cachesw_file,
)
from edgewright_client.api.user import post_user_login
from edgewright_client.models import (
    CdnUpdate,
    Explanation,
    GetServersSortOrder,
    PostUserLoginBody,
    Refused,
)

T = TypeVar("T")


def answered(answer: T | Refused | None) -> T:
    """What was answered, or an end with the alerts of a refusal."""
    if answer is None or isinstance(answer, Refused):
        raise SystemExit(f"refused: {answer}")
    return answer


def file_of(host: str, client: Client, explain: bool = False) -> str:
    answer = get_servers_id_configfiles_cachesw_file.sync_detailed(
        host, "remap.config", client=client, explain=explain
    )
    if not isinstance(answer.parsed, str):
        raise SystemExit(f"{answer.status_code}: {answer.parsed}")
    return answer.parsed


def tour(base_url: str, user: str, password: str) -> dict[str, object]:
    # The client keeps the session's cookie.
    client = Client(base_url=base_url)
    answered(post_user_login.sync(client=client, body=PostUserLoginBody(u=user, p=password)))

    servers = answered(
        get_servers.sync(client=client, type_="EDGE", limit=2, sort_order=GetServersSortOrder.ASC)
    ).response
    first = servers[0]

    text = file_of(first.host_name, client)
    # Of two content types the generator takes the first: the explanation comes as its text.
    why = Explanation.from_dict(json.loads(file_of(first.host_name, client, explain=True))["response"])

    cdn = answered(get_cdns.sync(client=client, id=first.cdn_id)).response[0]
    body = CdnUpdate(name="renamed", domain_name="renamed.example.net", dnssec_enabled=cdn.dnssec_enabled)
    renamed = answered(put_cdns_id.sync(str(cdn.id), client=client, body=body, dry_run=True))

    lines = answered(get_logs.sync(client=client, limit=5)).response
    refused = get_servers_id.sync("0", client=client)

    return {
        "servers": [f"{server.host_name} {server.interface_mtu:d}" for server in servers],
        "file": text.splitlines()[0],
        "why": [record.kind for record in why.records],
        "renamed": renamed.response.name,
        "changed": [f"{change.action.value} {change.kind}" for change in renamed.changes or []],
        "log": [f"{line.user}: {line.message}" for line in lines],
        "refused": [alert.level.value for alert in refused.alerts] if isinstance(refused, Refused) else None,
    }


print(json.dumps(tour(*sys.argv[1:4])))
