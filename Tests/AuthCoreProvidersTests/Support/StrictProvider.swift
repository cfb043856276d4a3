import AuthCoreProviders
import Foundation
import XCTest

/// A second real OpenID provider of other authors, `idpyoidc` from PyPI: it insists on PKCE, names its keys, and
/// replaces them.
///
/// Its own parts answer at every endpoint; only the HTTP server around them is made here.
final class StrictProvider {
    static let clientSecret = String(repeating: "s3cret", count: 6)

    private let process: PythonProcess
    var issuer: String { process.issuer }

    init() throws { process = try PythonProcess(Self.program) }

    func stop() { process.stop() }

    /// Replaces every key; tokens from now on are signed with a new one.
    func rotateKeys() async throws {
        let url = try XCTUnwrap(URL(string: issuer + "/rotate"))
        let response = try await URLSessionTransport().send(ProviderRequest(.post, url))
        XCTAssertEqual(response.status, 204)
    }

    /// Signs Ann in on the provider's page and returns where the browser is sent.
    static func approve(_ page: URL) async throws -> String {
        let response = try await URLSessionTransport().send(ProviderRequest(.get, page))
        let text = String(decoding: response.body, as: UTF8.self)
        return try XCTUnwrap(response.headers["location"], "status \(response.status): \(text)")
    }

    private static let program = """
        import json, logging, sys, threading, warnings
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
        from urllib.parse import parse_qs, urlparse
        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        from cryptojwt.key_jar import build_keyjar
        from idpyoidc.server import Server
        from idpyoidc.server.configure import OPConfiguration

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *rest): pass

            def answer(self, status, body="", **headers):
                self.send_response(status)
                for name, value in headers.items(): self.send_header(name.replace("_", "-"), value)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def serve(self, body):
                url = urlparse(self.path)
                if url.path == "/rotate":
                    fresh = build_keyjar(keys)._issuers[""]._bundles
                    for owner in ("", issuer): server.keyjar._issuers[owner]._bundles = list(fresh)
                    return self.answer(204)
                if url.path == "/jwks.json":
                    return self.answer(200, json.dumps(server.keyjar.export_jwks()), cache_control="max-age=3600")
                endpoint = endpoints.get(url.path)
                if endpoint is None: return self.answer(404)
                info = {
                    "headers": {name.lower(): value for name, value in self.headers.items()},
                    "method": self.command, "url": issuer + self.path,
                }
                try:
                    fields = {name: values[0] for name, values in parse_qs(body or url.query).items()}
                    parsed = endpoint.parse_request(fields, http_info=info)
                    if "error" not in parsed: parsed = endpoint.process_request(parsed, http_info=info)
                    if "error" in parsed: return self.answer(400, json.dumps({"error": parsed["error"]}))
                    out = endpoint.do_response(request=fields, **parsed)
                except Exception:
                    return self.answer(400, json.dumps({"error": "invalid_request"}))
                if url.path == "/authorization": return self.answer(303, location=out["response"])
                text = out["response"]
                self.answer(out.get("response_code", 200), text if isinstance(text, str) else json.dumps(text))

            def do_GET(self): self.serve("")
            def do_POST(self): self.serve(self.rfile.read(int(self.headers.get("content-length", 0))).decode())

        http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        issuer = "http://localhost:%d" % http.server_port
        keys = [{"type": "RSA", "key": "", "use": ["sig"]}, {"type": "EC", "crv": "P-256", "use": ["sig"]}]
        secret = [{"type": "OCT", "use": ["enc"], "kid": "password"}, {"type": "OCT", "use": ["enc"], "kid": "salt"}]
        code_key = [{"type": "oct", "bytes": "24", "use": ["enc"], "kid": "code"}]
        person = {"name": "Ann Archer", "email": "ann@example.com", "email_verified": True}
        part = "idpyoidc.server."
        server = Server(OPConfiguration(base_path="", domain="localhost", conf={
            "issuer": issuer,
            "key_conf": {"key_defs": keys, "uri_path": "jwks.json"},
            "token_handler_args": {
                "jwks_def": {"private_path": None, "read_only": False, "key_defs": code_key},
                "code": {"lifetime": 600},
                "token": {"lifetime": 3600},
                "id_token": {"class": part + "token.id_token.IDToken", "kwargs": {}},
            },
            "endpoint": {
                "provider_config": {
                    "path": ".well-known/openid-configuration", "kwargs": {},
                    "class": part + "oidc.provider_config.ProviderConfiguration",
                },
                "authorization": {
                    "path": "authorization", "class": part + "oidc.authorization.Authorization", "kwargs": {},
                },
                "token": {
                    "path": "token", "class": part + "oidc.token.Token",
                    "kwargs": {"client_authn_method": ["client_secret_basic", "client_secret_post"]},
                },
                "userinfo": {"path": "userinfo", "class": part + "oidc.userinfo.UserInfo", "kwargs": {}},
            },
            "userinfo": {"class": part + "user_info.UserInfo", "kwargs": {"db": {"ann@op": person}}},
            "authentication": {"anon": {
                "acr": "urn:example:none", "class": part + "user_authn.user.NoAuthn", "kwargs": {"user": "ann@op"},
            }},
            "add_ons": {"pkce": {
                "function": part + "oauth2.add_on.pkce.add_support",
                "kwargs": {"essential": True, "code_challenge_methods": {"S256": None}},
            }},
            "session_params": {"encrypter": {"kwargs": {"keys": {"key_defs": secret}}}},
        }), cwd=".")
        server.context.cdb["my-app"] = {
            "client_id": "my-app", "client_secret": "s3cret" * 6,
            "redirect_uris": [("https://app.example/oidc.strict/callback", {}), ("https://app.example/__/auth/oidc.strict/handler", {})],
            "response_types_supported": ["code"],
            "allowed_scopes": ["openid", "email", "profile"], "token_endpoint_auth_method": "client_secret_basic",
        }
        endpoints = {"/" + endpoint.endpoint_path: endpoint for endpoint in server.endpoint.values()}
        threading.Thread(target=http.serve_forever, daemon=True).start()
        print(http.server_port, flush=True)
        sys.stdin.read()
        """
}
